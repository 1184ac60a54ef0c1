import { CATALOG } from '../../client/generated/catalog.ts'
import {
  commandSnippet,
  curlSnippet,
  type SnippetCall,
  typescriptSnippet,
} from '../../client/snippets/index.ts'
import { DOCUMENTED_URL } from '../../edge/documentation/documented-url.ts'
import { exampleParams } from '../../shared/operations/examples.ts'
import type { Operation } from '../../shared/planning/operation.ts'

/** Returns a fenced block with a title. */
export function fence(language: string, title: string, code: string): string {
  return `\`\`\`${language} title="${title}"\n${code.trim()}\n\`\`\``
}

/** Returns the calls that run an operation: with curl, in TypeScript, and on the command line. */
export function operationSnippets(operation: Operation): string[] {
  const call = exampleCall(operation)
  return [
    fence('sh', 'curl', curlSnippet(call, { idempotencyKey: `${operation.key}-1` })),
    fence('ts', 'TypeScript', typescriptSnippet(call)),
    fence('sh', 'Command line', commandSnippet(call, fieldsOf(operation))),
  ]
}

function exampleCall(operation: Operation): SnippetCall {
  const { service: service_slug, key: operation_key, accepts } = operation
  const { url: _, ...params } = exampleParams(operation)
  const takesLink = accepts.includes('link')
  const file = accepts.includes('image') ? 'photo.jpg' : 'clip.mp4'
  const input = takesLink ? 'https://example.org/watch?v=1' : file
  return { apiUrl: DOCUMENTED_URL, service_slug, operation_key, params, input, takesLink }
}

/** Returns the parameters that have an option on the command line. */
function fieldsOf({ service, key }: Operation): string[] {
  const entry = CATALOG.find((each) => each.service === service && each.key === key)
  if (entry === undefined) throw new Error(`The client does not know ${service}/${key}.`)
  return entry.fields.map(({ name }) => name)
}
