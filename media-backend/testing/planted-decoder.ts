import { linkSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { connect, Socket } from 'node:net'
import { createInterface } from 'node:readline'

/** A program of a stranger in place of a decoder process. The name of the file says what it does. */
const answers = new Socket({ fd: 3 })
answers.write('{"id":"ready","done":null}\n')
for await (const line of createInterface({ input: process.stdin })) {
  const { id, input } = JSON.parse(line) as { id: string; input: { file: string } }
  const answer = (content: object) => answers.write(`${JSON.stringify({ id, ...content })}\n`)
  const done = { format: 'png', width: 1, height: 1, pages: 1, has_alpha: false }
  if (input.file.startsWith('escape')) answer({ error: await leave(input.file) })
  else if (input.file === 'crash') process.kill(process.pid, 'SIGSEGV')
  else if (input.file === 'exit') process.exit(3)
  else if (input.file === 'memory') exhaust()
  else if (input.file === 'long') answers.write('x'.repeat(2_000_000))
  else if (input.file === 'shape') answer({ done: { ...done, width: '1' } })
  else if (input.file === 'text') answers.write('hello\n')
  else if (input.file === 'other') answers.write(`${JSON.stringify({ id: 'other', done })}\n`)
  else if (input.file !== 'hang') answer({ done: { ...done, width: process.pid } })
  if (input.file === 'twice') answer({ done })
  if (input.file === 'later') setTimeout(() => process.kill(process.pid, 'SIGSEGV'), 0)
}

function exhaust(): void {
  const held: Buffer[] = []
  for (;;) held.push(Buffer.alloc(256 * 1024 ** 2, 1))
}

/** Tries to leave the sandbox. @returns what succeeded. */
async function leave(file: string): Promise<string> {
  const [, port = '', secret_folder = ''] = file.split('--')
  const secret = `${process.cwd()}/../${secret_folder}/secret`
  const attempts: Record<string, () => unknown> = {
    environ: () => readFileSync(`/proc/${process.ppid}/environ`),
    memory: () => readFileSync(`/proc/${process.ppid}/maps`),
    secret: () => readFileSync(secret),
    outside: () => writeFileSync(`${process.cwd()}/../planted`, ''),
    temporary: () => writeFileSync(`/tmp/planted-${process.pid}`, ''),
    link: () => symlinkSync(secret, 'link'),
    hard_link: () => linkSync(secret, 'hard'),
    inside: () => writeFileSync('inside', ''),
    connect: () =>
      new Promise((resolve, reject) => {
        connect(Number(port), '127.0.0.1').once('connect', resolve).once('error', reject)
      }),
  }
  const succeeded: string[] = []
  for (const [name, attempt] of Object.entries(attempts)) {
    try {
      await attempt()
      succeeded.push(name)
    } catch {
      // The sandbox holds.
    }
  }
  const secrets = Object.keys(process.env).filter((name) => /KEY|SECRET|REDIS|TOKEN/.test(name))
  return [...succeeded, ...secrets].sort().join(' ')
}
