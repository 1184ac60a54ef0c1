import type { Fault } from './run.ts'

const SHOWN_MAX = 600

/** A fault with the request as it was sent, and how to send it again. */
export function formatFault({ request, answer, sentences }: Fault, seed: number): string {
  const { number, operation, kind, who, path, headers, body } = request
  const text = body === null ? '' : body.toString()
  return [
    `${operation.name}: ${sentences.join('; ')}`,
    `  ${operation.method} ${shorten(path)} (${kind}, by ${who})`,
    `  ${shorten(JSON.stringify(headers))}`,
    ...(text === '' ? [] : [`  ${shorten(text)}`]),
    ...(answer === null ? [] : [`  was answered ${answer.status}: ${shorten(answer.text ?? 'a stream')}`]),
    `  again: npm run requests -- --seed ${seed} --from ${number} --count 1`,
  ].join('\n')
}

function shorten(text: string): string {
  return text.length <= SHOWN_MAX ? text : `${text.slice(0, SHOWN_MAX)} … (${text.length} characters)`
}
