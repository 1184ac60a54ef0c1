import { camelCase } from '../src/camel-case.ts'
import { placeOfCall, type SnippetCall } from './snippet-call.ts'

/** Writes the TypeScript program that runs a job and saves its result. */
export function typescriptSnippet(call: SnippetCall): string {
  const { group, name } = placeOfCall(call)
  const method = camelCase(name)
  const params = Object.keys(call.params).length === 0 ? '' : `, ${literal(call.params)}`
  return `import { Media } from '@media-credits/client'

const media = new Media({ apiUrl: '${call.apiUrl}', apiKey: process.env.MEDIA_API_KEY })
const result = await media.${group}.${method}(${literal(call.input)}${params})
console.log(result.body)
await result.save(result.filename)`
}

/** Formats a JSON value as TypeScript. */
function literal(value: unknown): string {
  if (typeof value === 'string') return quote(value)
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  if (typeof value !== 'object' || value === null) return String(value)
  const fields = Object.entries(value).map(([name, inner]) => `${propertyName(name)}: ${literal(inner)}`)
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`
}

function propertyName(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : quote(name)
}

/** Quotes a text with single quotes. JSON escapes everything else that a literal cannot contain. */
function quote(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}
