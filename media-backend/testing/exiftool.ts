import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

/** A persistent exiftool process, because starting exiftool takes far longer than running a command. */
export interface Exiftool {
  /** Returns the output for the given arguments. -q is not allowed, because it hides the end marker of the output. */
  run(...args: string[]): Promise<string>
  close(): Promise<void>
}

export function startExiftool(): Exiftool {
  const child = spawn('exiftool', ['-stay_open', 'True', '-@', '-'], { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = once(child, 'close')
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()

  async function ask(args: string[]): Promise<string> {
    child.stdin.write([...args, '-execute', ''].join('\n'))
    const answer: string[] = []
    for (;;) {
      const { value, done } = await lines.next()
      if (done === true) throw new Error('exiftool has exited')
      if (value === '{ready}') return answer.join('\n')
      answer.push(value)
    }
  }

  let last: Promise<unknown> = Promise.resolve()
  return {
    run(...args) {
      const answer = last.then(() => ask(args))
      last = answer.catch(() => {})
      return answer
    },
    async close() {
      child.stdin.end('-stay_open\nFalse\n')
      await ended
    },
  }
}
