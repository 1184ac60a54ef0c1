import type { CatalogEntry } from '../../client/cli/catalog-entry.ts'
import { flagOf } from '../../client/cli/field-option.ts'
import { CATALOG } from '../../client/generated/catalog.ts'
import { DOCUMENTED_URL } from '../../edge/documentation/documented-url.ts'
import { exampleBody, exampleParams } from '../../shared/operations/examples.ts'
import type { Operation } from '../../shared/planning/operation.ts'

/** Returns a fenced block with a title. */
export function fence(language: string, title: string, code: string): string {
  return `\`\`\`${language} title="${title}"\n${code.trim()}\n\`\`\``
}

/** Returns the calls that run an operation: with curl, in TypeScript, and on the command line. */
export function operationSnippets(operation: Operation): string[] {
  return [
    fence('sh', 'curl', curlSnippet(operation)),
    fence('ts', 'TypeScript', typescriptSnippet(operation)),
    fence('sh', 'Command line', commandSnippet(operation)),
  ]
}

/** Returns the curl call: a form with the file, or JSON for a link. */
function curlSnippet(operation: Operation): string {
  const { service, key, accepts } = operation
  const repeatable = `-H "Idempotency-Key: ${key}-1"`
  if (accepts.includes('link')) {
    return `curl -sS --fail-with-body ${DOCUMENTED_URL}/api/v1/jobs/api \\
  -H "X-Api-Key: $MEDIA_API_KEY" ${repeatable} \\
  -H 'Content-Type: application/json' \\
  -d ${quoteForShell(JSON.stringify(exampleBody(operation)))}`
  }
  const params = exampleParams(operation)
  const field =
    Object.keys(params).length === 0 ? '' : `\n  -F ${quoteForShell(`params=${JSON.stringify(params)}`)} \\`
  return `curl -sS --fail-with-body ${DOCUMENTED_URL}/api/v1/jobs/upload \\
  -H "X-Api-Key: $MEDIA_API_KEY" ${repeatable} \\
  -F service_slug=${service} -F operation_key=${key} \\${field}
  -F file=@${inputOf(operation)}`
}

function typescriptSnippet(operation: Operation): string {
  const { group, command } = entryOf(operation)
  const params = ownParams(operation)
  const method = command.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
  const last = Object.keys(params).length === 0 ? '' : `, ${literal(params)}`
  return `import { Media } from '@media-credits/client'

const media = new Media({ apiUrl: '${DOCUMENTED_URL}', apiKey: process.env.MEDIA_API_KEY })
const result = await media.${group}.${method}('${inputOf(operation)}'${last})
console.log(result.body)
await result.save(result.filename)`
}

function commandSnippet(operation: Operation): string {
  const { group, command, fields } = entryOf(operation)
  const options = Object.entries(ownParams(operation)).map(([name, value]) => {
    const isField = fields.some((field) => field.name === name)
    return isField ? optionText(name, value) : `--params ${quoteForShell(JSON.stringify({ [name]: value }))}`
  })
  return ['media', group, command, quoteWhereNeeded(inputOf(operation)), ...options, '-o out/'].join(' ')
}

function optionText(name: string, value: unknown): string {
  const flag = flagOf(name)
  if (typeof value === 'boolean') return value ? flag : flag.replace('--', '--no-')
  const values = [value]
    .flat()
    .map((each) => (typeof each === 'object' ? JSON.stringify(each) : String(each)))
  return [flag, ...values.map(quoteWhereNeeded)].join(' ')
}

/** Describes the operation as the client names it: its group of methods and its command. */
function entryOf({ service, key }: Operation): CatalogEntry {
  const entry = CATALOG.find((each) => each.service === service && each.key === key)
  if (entry === undefined) throw new Error(`The client does not know ${service}/${key}.`)
  return entry
}

/** Returns the input of the examples: a file, or a link. */
function inputOf({ accepts }: Operation): string {
  if (accepts.includes('link')) return 'https://example.org/watch?v=1'
  return accepts.includes('image') ? 'photo.jpg' : 'clip.mp4'
}

function ownParams(operation: Operation): Record<string, unknown> {
  const { url: _, ...params } = exampleParams(operation)
  return params
}

/** Formats a value as TypeScript. */
function literal(value: unknown): string {
  if (typeof value === 'string') return `'${value.replaceAll("'", "\\'")}'`
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  if (typeof value !== 'object' || value === null) return String(value)
  const fields = Object.entries(value).map(([name, inner]) => `${name}: ${literal(inner)}`)
  return `{ ${fields.join(', ')} }`
}

function quoteWhereNeeded(text: string): string {
  return /^[\w.:/-]+$/.test(text) ? text : quoteForShell(text)
}

function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
