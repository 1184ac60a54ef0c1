import type { Fault } from './run.ts'

const SHOWN_MAX = 600

/** Formats a failure with the request and the command that reproduces it. */
export function formatFault({ request, answer, messages }: Fault, seed: number): string {
  const { number, operation, kind, caller, path, headers, body } = request
  const text = body === null ? '' : body.toString()
  return [
    `${operation.name}: ${messages.join('; ')}`,
    `  ${operation.method} ${shorten(path)} (${kind}, by ${caller})`,
    `  ${shorten(JSON.stringify(headers))}`,
    ...(text === '' ? [] : [`  ${shorten(text)}`]),
    ...(answer === null ? [] : [`  response ${answer.status}: ${shorten(answer.text ?? 'a stream')}`]),
    `  reproduce: npm run requests -- --seed ${seed} --from ${number} --count 1`,
  ].join('\n')
}

function shorten(text: string): string {
  return text.length <= SHOWN_MAX ? text : `${text.slice(0, SHOWN_MAX)} … (${text.length} characters)`
}
