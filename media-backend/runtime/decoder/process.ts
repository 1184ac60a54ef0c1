import type { ChildProcess } from 'node:child_process'
import { randomInt, randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { countChildCpu } from '../child-cpu.ts'
import { NODE_FLAGS } from '../node-flags.ts'
import { killGroup, type ProcessLimits, plainEnvironment, spawnGuarded } from '../process.ts'
import { Answer } from './tasks.ts'

/** A process that decodes images, one at a time. It reaches only the files in its folder. */
export interface DecoderProcess {
  /** The kernel opens only this folder to the process, from its start on. */
  folder: string
  /** Waits until the process takes requests, or has exited. */
  waitUntilReady(): Promise<void>
  /**
   * Sends a request and returns the answer; only one at a time.
   * @throws DecoderEnded if the process exits, is killed, or answers something else.
   */
  run(request: object): Promise<Answer>
  hasExited(): boolean
  /** Bytes of memory that the process holds; 0 if unknown. */
  memoryBytes(): number
  /** Kills the process, waits until it has exited, and removes its folder. */
  end(): Promise<void>
}

/** A decoder process did not give a valid answer. */
export class DecoderEnded extends Error {
  readonly ended_by: NodeJS.Signals | null
  /** The last output of the process, for operators. */
  readonly output: string

  constructor(reason: string, ended_by: NodeJS.Signals | null, output: string) {
    super(`the decoder of images ${reason}`)
    this.name = 'DecoderEnded'
    this.ended_by = ended_by
    this.output = output
  }
}

/** The first answer of a process, before any request. */
export const READY = 'ready'
const ANSWER_LENGTH_MAX = 1024 * 1024
const OUTPUT_LENGTH_MAX = 8192
const PAGE_BYTES = 4096
const folders = new Set<string>()
process.once('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/** @param root the folder that contains the folders of jobs, because links do not cross file systems. */
export function startDecoder(program: string, limits: ProcessLimits, root: string): DecoderProcess {
  // The name ends like that of a job's folder, so the next process removes it after a crash (prepareWorkDirectory).
  const folder = join(root, `decoder-${randomInt(2 ** 40)}.${process.pid}`)
  mkdirSync(folder, { mode: 0o700 })
  folders.add(folder)
  const child = spawnGuarded(
    [process.execPath, ...NODE_FLAGS, program],
    limits,
    { folder },
    { cwd: folder, env: plainEnvironment(folder), stdio: ['pipe', 'pipe', 'pipe', 'pipe'] },
  )
  const [stdin, ...outputs] = child.stdio as unknown as Socket[]
  const last_output = keepLast(outputs.slice(0, 2))
  const exit = watchExit(child)
  const answers = readAnswers(outputs[2] as Socket, () => killGroup(child))
  const ready = answers.next(READY)
  stdin?.on('error', () => {})
  holdOpen(child, false)
  return {
    folder,
    async waitUntilReady() {
      holdOpen(child, true)
      await Promise.race([ready, exit.ended])
    },
    async run(request) {
      const id = randomUUID()
      holdOpen(child, true)
      try {
        const answer = answers.next(id)
        stdin?.write(`${JSON.stringify({ ...request, id })}\n`)
        const received = await Promise.race([answer, exit.ended])
        if (received !== null) return received
        throw new DecoderEnded(exit.describe(), exit.signal(), last_output())
      } finally {
        holdOpen(child, false)
      }
    },
    hasExited: exit.hasHappened,
    memoryBytes: () => readMemory(child.pid),
    async end() {
      // A caller that waits for the end keeps this process running.
      holdOpen(child, true)
      if (!exit.hasHappened()) killGroup(child)
      await exit.ended
      folders.delete(folder)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function watchExit(child: ChildProcess) {
  let [happened, code, signal]: [boolean, number | null, NodeJS.Signals | null] = [false, null, null]
  const ended = new Promise<null>((resolve) => {
    const settle = () => {
      happened = true
      countChildCpu()
      resolve(null)
    }
    child.once('error', settle)
    child.once('close', (exit_code, ended_by) => {
      code = exit_code
      signal = ended_by
      settle()
    })
  })
  const describe = () => `ended by ${signal ?? `exit code ${code}`}`
  return { ended, hasHappened: () => happened, signal: () => signal, describe }
}

/** Reads one line per answer. A process that writes anything else is not trusted any more. */
function readAnswers(output: Socket, kill: () => void) {
  let received = ''
  let waiting: { id: string; resolve: (answer: Answer) => void } | null = null
  output.setEncoding('utf8').on('data', (text: string) => {
    received += text
    const end = received.indexOf('\n')
    if (end < 0 && received.length <= ANSWER_LENGTH_MAX) return
    const answer = end === received.length - 1 ? parseAnswer(received) : null
    received = ''
    if (answer === null || answer.id !== waiting?.id) return kill()
    waiting.resolve(answer)
    waiting = null
  })
  output.on('error', () => {})
  return {
    next: (id: string) =>
      new Promise<Answer>((resolve) => {
        waiting = { id, resolve }
      }),
  }
}

function parseAnswer(line: string): Answer | null {
  if (line.length > ANSWER_LENGTH_MAX) return null
  try {
    return Answer.safeParse(JSON.parse(line)).data ?? null
  } catch {
    return null
  }
}

function keepLast(outputs: readonly Socket[]): () => string {
  let last = ''
  for (const output of outputs) {
    output.setEncoding('utf8').on('data', (text: string) => {
      last = (last + text).slice(-OUTPUT_LENGTH_MAX)
    })
    output.on('error', () => {})
  }
  return () => last
}

/** An idle process does not keep this one running. */
function holdOpen(child: ChildProcess, isHeld: boolean): void {
  for (const handle of [child, ...(child.stdio as unknown as Socket[])]) {
    if (isHeld) handle.ref()
    else handle.unref()
  }
}

function readMemory(pid: number | undefined): number {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * PAGE_BYTES
  } catch {
    // Not on Linux, or the process has exited.
    return 0
  }
}
