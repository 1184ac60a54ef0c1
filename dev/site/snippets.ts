import { DOCUMENTED_URL } from '../../edge/documentation/documented-url.ts'
import { exampleBody, exampleParams } from '../../shared/operations/examples.ts'
import type { Operation } from '../../shared/planning/operation.ts'

/** Returns a fenced block with a title. */
export function fence(language: string, title: string, code: string): string {
  return `\`\`\`${language} title="${title}"\n${code.trim()}\n\`\`\``
}

/** Returns the name of the input file in the examples of an operation. */
export function inputFileOf({ accepts }: Operation): string {
  return accepts.includes('image') ? 'photo.jpg' : 'clip.mp4'
}

/** Returns the curl call that submits an operation: a form with the file, or JSON for a link. */
export function curlSnippet(operation: Operation): string {
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
  -F file=@${inputFileOf(operation)}`
}

function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
