import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { groupsOf, isGroupAlive, signalGroup, signalTree } from './process-tree.ts'
import { waitUntil } from './wait.ts'
import type { Watch } from './watch.ts'

const STOP_MS = 8000
const LOG_LINES = 20

/** How one part of the system is started, and how it shows that it works. */
export interface PartDefinition {
  name: string
  command: string
  args: string[]
  /** The whole environment: nothing of the caller's leaks into a part. */
  environment: Record<string, string>
  logFile: string
  isReady(signal: AbortSignal): Promise<boolean>
  ready_ms_max: number
}

/** A running part. It has a process group of its own, so that a Ctrl-C in the terminal does not reach it. */
export class Part {
  readonly definition: PartDefinition
  private readonly watch: Watch['tell']
  private readonly onDeath: (part: Part, how: string) => void
  private child: ChildProcess | null = null

  constructor(definition: PartDefinition, watch: Watch['tell'], onDeath: (part: Part, how: string) => void) {
    this.definition = definition
    this.watch = watch
    this.onDeath = onDeath
    rmSync(definition.logFile, { force: true })
  }

  get name(): string {
    return this.definition.name
  }

  get pid(): number | null {
    return this.child?.pid ?? null
  }

  /** Starts the process and waits until it works; throws with the end of its log when it does not. */
  async start(): Promise<void> {
    if (this.child) throw new Error(`${this.name} runs already`)
    const child = this.spawn()
    this.child = child
    const { isReady, ready_ms_max } = this.definition
    await waitUntil(this.name, (signal) => this.child !== child || isReady(signal), ready_ms_max).catch(
      (error: Error) => {
        throw new Error(`${error.message}\n${this.describeLog()}`, { cause: error.cause })
      },
    )
    if (this.child !== child) throw new Error(`${this.name} ended while it started\n${this.describeLog()}`)
  }

  private spawn(): ChildProcess {
    const { command, args, environment, logFile } = this.definition
    const log = openSync(logFile, 'a')
    const child = spawn(command, args, { detached: true, env: environment, stdio: ['ignore', log, log] })
    closeSync(log)
    const { pid } = child
    if (pid !== undefined) this.watch(`+${pid}`)
    const end = (how: string) => {
      if (this.child !== child) return
      this.child = null
      if (pid !== undefined) this.clear(pid)
      this.onDeath(this, how)
    }
    child.once('error', (error) => end(error.message))
    child.once('exit', (code, signal) => end(signal ? `by ${signal}` : `with code ${code}`))
    return child
  }

  /** Asks it to end, waits, and ends by force what is left after eight seconds. */
  async stop(): Promise<void> {
    await this.end('SIGTERM')
  }

  /** Ends it and all that it started at once, as the loss of its machine would. */
  async kill(): Promise<void> {
    await this.end('SIGKILL')
  }

  async restart(): Promise<void> {
    await this.stop()
    await this.start()
  }

  /** SIGSTOP and SIGCONT make a part that hangs and wakes up late. */
  signal(signal: NodeJS.Signals): void {
    if (this.pid !== null) signalTree(this.pid, signal)
  }

  private async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    const { pid } = this
    // From here on the end is wanted: the exit handler no longer counts it as a death.
    this.child = null
    if (pid === null) return
    const groups = groupsOf(pid)
    // A stopped process does not hear SIGTERM before it goes on.
    for (const group of groups) signalGroup(group, signal)
    if (signal === 'SIGTERM') for (const group of groups) signalGroup(group, 'SIGCONT')
    const deadline = Date.now() + STOP_MS
    while (groups.some(isGroupAlive) && Date.now() < deadline) await delay(20)
    for (const group of groups) signalGroup(group, 'SIGKILL')
    while (groups.some(isGroupAlive)) await delay(20)
    this.watch(`-${pid}`)
  }

  /** After a death of its own: whatever it left behind in its group goes too. */
  private clear(pid: number): void {
    signalGroup(pid, 'SIGKILL')
    this.watch(`-${pid}`)
  }

  /** The last lines of its log, for an error message. */
  describeLog(): string {
    const { logFile } = this.definition
    const lines = readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-LOG_LINES)
    return `The end of ${logFile}:\n${lines.map((line) => `  | ${line}`).join('\n')}`
  }
}
