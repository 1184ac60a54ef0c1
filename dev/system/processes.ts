import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { isGroupAlive, listGroups, signalGroup, signalTree } from './process-tree.ts'
import { waitUntil } from './wait.ts'
import type { Watch } from './watch.ts'

const STOP_MS = 8000
const LOG_LINES = 20

/** The command and readiness check of one part of the system. */
export interface PartDefinition {
  name: string
  command: string
  args: string[]
  /** The complete environment. A part inherits nothing from the caller. */
  environment: Record<string, string>
  logFile: string
  isReady(signal: AbortSignal): Promise<boolean>
  ready_ms_max: number
}

/**
 * One part of the system. Its process has a separate group, so Ctrl-C in the terminal does not reach it. Uses
 * child_process because execa terminates only a single process; a part must be suspended or terminated along with
 * all its descendants and their groups.
 */
export class Part {
  readonly definition: PartDefinition
  private readonly updateWatchdog: Watch['update']
  private readonly onExit: (part: Part, reason: string) => void
  private child: ChildProcess | null = null

  /** @param onExit called after an unexpected exit; `reason` is worded to follow "exited" in a message */
  constructor(
    definition: PartDefinition,
    updateWatchdog: Watch['update'],
    onExit: (part: Part, reason: string) => void,
  ) {
    this.definition = definition
    this.updateWatchdog = updateWatchdog
    this.onExit = onExit
    rmSync(definition.logFile, { force: true })
  }

  get name(): string {
    return this.definition.name
  }

  get pid(): number | null {
    return this.child?.pid ?? null
  }

  /**
   * Starts the process and waits until it is ready.
   * @throws with the end of its log if the process exits or is not ready in time
   */
  async start(): Promise<void> {
    if (this.child) throw new Error(`${this.name} is already running`)
    const child = this.spawn()
    this.child = child
    const { isReady, ready_ms_max } = this.definition
    await waitUntil(this.name, (signal) => this.child !== child || isReady(signal), ready_ms_max).catch(
      (error: Error) => {
        throw new Error(`${error.message}\n${this.describeLog()}`, { cause: error.cause })
      },
    )
    if (this.child !== child) throw new Error(`${this.name} exited during startup\n${this.describeLog()}`)
  }

  private spawn(): ChildProcess {
    const { command, args, environment, logFile } = this.definition
    const log = openSync(logFile, 'a')
    const child = spawn(command, args, { detached: true, env: environment, stdio: ['ignore', log, log] })
    closeSync(log)
    const { pid } = child
    if (pid !== undefined) this.updateWatchdog(`+${pid}`)
    const handleExit = (reason: string) => {
      if (this.child !== child) return
      this.child = null
      if (pid !== undefined) this.killGroup(pid)
      this.onExit(this, reason)
    }
    child.once('error', (error) => handleExit(`with an error: ${error.message}`))
    child.once('exit', (code, signal) => handleExit(signal ? `with signal ${signal}` : `with code ${code}`))
    return child
  }

  /** Sends SIGTERM to the process tree, waits up to eight seconds, then sends SIGKILL. */
  async stop(): Promise<void> {
    await this.terminate('SIGTERM')
  }

  /** Sends SIGKILL to the process tree, which simulates a machine failure. */
  async kill(): Promise<void> {
    await this.terminate('SIGKILL')
  }

  async restart(): Promise<void> {
    await this.stop()
    await this.start()
  }

  /** Sends a signal to the process tree. SIGSTOP and SIGCONT simulate a part that hangs and recovers. */
  signal(signal: NodeJS.Signals): void {
    if (this.pid !== null) signalTree(this.pid, signal)
  }

  private async terminate(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    const { pid } = this
    // Makes the exit handler ignore this expected exit.
    this.child = null
    if (pid === null) return
    const groups = listGroups(pid)
    // A suspended process handles SIGTERM only after SIGCONT.
    for (const group of groups) signalGroup(group, signal)
    if (signal === 'SIGTERM') for (const group of groups) signalGroup(group, 'SIGCONT')
    const deadline = Date.now() + STOP_MS
    while (groups.some(isGroupAlive) && Date.now() < deadline) await delay(20)
    for (const group of groups) signalGroup(group, 'SIGKILL')
    while (groups.some(isGroupAlive)) await delay(20)
    this.updateWatchdog(`-${pid}`)
  }

  /** Kills the processes left in the group after an unexpected exit. */
  private killGroup(pid: number): void {
    signalGroup(pid, 'SIGKILL')
    this.updateWatchdog(`-${pid}`)
  }

  /** Returns the last lines of the log for use in an error message. */
  describeLog(): string {
    const { logFile } = this.definition
    const lines = readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-LOG_LINES)
    return `Last lines of ${logFile}:\n${lines.map((line) => `  | ${line}`).join('\n')}`
  }
}
