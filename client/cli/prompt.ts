import { once } from 'node:events'
import { createInterface, type Interface } from 'node:readline/promises'
import { Writable } from 'node:stream'

/** Asks a question on the terminal, and hides the answer if it is secret. */
export async function ask(question: string, { isSecret = false } = {}): Promise<string> {
  if (isSecret) process.stderr.write(question)
  // The interface echoes input to its output, so a secret gets an output that discards it.
  const output = isSecret ? new Writable({ write: (_chunk, _encoding, done) => done() }) : process.stderr
  const lines = createInterface({ input: process.stdin, output, terminal: process.stdin.isTTY === true })
  try {
    return (await Promise.race([lines.question(isSecret ? '' : question), interruption(lines)])).trim()
  } finally {
    lines.close()
    if (isSecret) process.stderr.write('\n')
  }
}

/** Fails when Ctrl-C or Ctrl-D closes the interface, because the question then never ends. */
async function interruption(lines: Interface): Promise<never> {
  await once(lines, 'close')
  throw new DOMException('No answer was given.', 'AbortError')
}

/** Reads the lines of standard input, for programs. */
export async function readLines(): Promise<string[]> {
  let text = ''
  for await (const chunk of process.stdin) text += chunk
  return text.split('\n').map((line) => line.trim())
}
