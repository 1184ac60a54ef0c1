import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Environment } from '../../environment.ts'
import { JobFailure } from '../failure.ts'
import { createRoom } from '../image-room.ts'
import { currentJob } from '../job-context.ts'
import { log } from '../log.ts'
import type { ProcessLimits } from '../process.ts'
import type { Run } from '../run.ts'
import { ask, readAnswer } from './ask.ts'
import { explainEnd } from './explain-end.ts'
import { clearFolder, lendFiles, takeFiles } from './lend-files.ts'
import { DecoderEnded, type DecoderProcess, startDecoder } from './process.ts'
import { TASK_FILES, type TaskInputs, type TaskName, type TaskOutput } from './tasks.ts'

/** A start takes as much CPU time as several small images, so a process outlives its task. */
const TASKS_MAX = 2000
const IDLE_MS = 60_000
/** A process never returns the memory that its largest image needed. */
const IDLE_BYTES_MAX = 256 * 1024 ** 2
/** Memory of Node itself. */
const NODE_BYTES = 1024 ** 3

/** The settings that decoding needs. They include no secrets. */
const SETTINGS = [
  ...(['IMAGE_PIXELS_MAX', 'IMAGE_SECONDS_MAX', 'IMAGE_MEMORY_BYTES_MAX', 'IMAGE_CONCURRENCY'] as const),
  ...(['ANIMATION_PIXELS_MAX', 'PROCESS_MEMORY_BYTES_MAX', 'OUTPUT_BYTES_MAX', 'JOB_SECONDS_MAX'] as const),
] satisfies (keyof Environment)[]
export type DecoderSettings = Pick<Environment, (typeof SETTINGS)[number]>

interface Decoder {
  process: DecoderProcess
  /** Decoders with another machine serve other folders, or have other limits. */
  machine: string
  /** The account of the last task. */
  owner: string
  tasks: number
}
interface Idle extends Decoder {
  timer: NodeJS.Timeout
}

export interface DecoderPool {
  decode<Name extends TaskName>(name: Name, input: TaskInputs[Name], run: Run): Promise<TaskOutput<Name>>
  /** Ends the processes that wait for a task. */
  end(): Promise<void>
}

/** @param program the program of the processes. */
export function createDecoderPool(program: string): DecoderPool {
  const idle: Idle[] = []
  const room = createRoom()
  let busy = 0

  const start = (run: Run, machine: string, owner: string): Decoder => ({
    process: startDecoder(program, limitsOf(run.environment), dirname(run.folder)),
    ...{ machine, owner, tasks: 0 },
  })
  const take = (run: Run): Decoder => {
    const { machine, owner } = ownerOf(run)
    const usable = idle.filter((each) => each.machine === machine)
    const own = usable.findLast((each) => each.owner === owner)
    const has_place = busy + idle.length < placesOf(run)
    // A new process is safer than one that decoded images of others, but under load it would take too much CPU time.
    const found = own ?? (has_place ? undefined : usable[0])
    if (found === undefined) {
      const [oldest] = has_place ? [] : idle
      if (oldest !== undefined) void endIdle(oldest)
      return start(run, machine, owner)
    }
    forget(found)
    if (!isUsable(found)) {
      void found.process.end()
      return take(run)
    }
    return { ...found, owner }
  }
  const forget = (decoder: Idle) => {
    clearTimeout(decoder.timer)
    idle.splice(idle.indexOf(decoder), 1)
  }
  const endIdle = (decoder: Idle) => {
    forget(decoder)
    return decoder.process.end()
  }
  const keep = (decoder: Decoder) => {
    if (decoder.tasks >= TASKS_MAX || decoder.process.memoryBytes() > IDLE_BYTES_MAX) {
      void decoder.process.end()
      return
    }
    const kept: Idle = { ...decoder, timer: setTimeout(() => void endIdle(kept), IDLE_MS).unref() }
    idle.push(kept)
  }

  async function attempt<Name extends TaskName>(
    decoder: Decoder,
    name: Name,
    input: TaskInputs[Name],
    run: Run,
  ): Promise<TaskOutput<Name>> {
    const { process: worker } = decoder
    const { reads, writes } = TASK_FILES[name](input)
    busy += 1
    try {
      lendFiles(reads, run.folder, worker.folder)
      const request = { name, input, settings: settingsOf(run.environment) }
      const answer = await ask(worker, request, run)
      const output = readAnswer(name, answer)
      if (!(output instanceof JobFailure)) takeFiles(writes, worker.folder, run.folder)
      clearFolder(worker.folder)
      keep({ ...decoder, tasks: decoder.tasks + 1 })
      if (output instanceof JobFailure) throw output
      return output
    } catch (error) {
      if (!(error instanceof JobFailure) || run.signal.aborted) await worker.end()
      throw error
    } finally {
      busy -= 1
    }
  }

  async function attemptTwice<Name extends TaskName>(
    name: Name,
    input: TaskInputs[Name],
    run: Run,
  ): Promise<TaskOutput<Name>> {
    const decoder = take(run)
    return attempt(decoder, name, input, run).catch(async (error: unknown) => {
      if (!(error instanceof DecoderEnded)) throw error
      const output = error.output.slice(-1000)
      log('decoder_ended', { name, tasks: decoder.tasks, error: error.message, output })
      // An earlier image may be the cause, so only the end of a new process is the fault of this one.
      if (decoder.tasks === 0) throw explainEnd(error)
      const { machine, owner } = ownerOf(run)
      return attempt(start(run, machine, owner), name, input, run).catch((second: unknown) => {
        throw second instanceof DecoderEnded ? explainEnd(second) : second
      })
    })
  }

  return {
    decode(name, input, run) {
      const requested_ms = performance.now()
      return room.hold(0, { bytes_max: 0, places: placesOf(run) }, run.signal, () => {
        run.waits?.add((performance.now() - requested_ms) / 1000)
        return attemptTwice(name, input, run)
      })
    },
    async end() {
      await Promise.all([...idle].map(endIdle))
    },
  }
}

/** One more than images are drawn, so that the header of an image need not wait for a long drawing. */
function placesOf({ environment }: Run): number {
  return Math.max(1, environment.IMAGE_CONCURRENCY) + 1
}

function ownerOf({ folder, environment }: Run): Pick<Decoder, 'machine' | 'owner'> {
  const job = currentJob()
  const machine = JSON.stringify([dirname(folder), limitsOf(environment), job?.niceness ?? 0])
  return { machine, owner: String(job?.account_id ?? job?.job_id) }
}

function isUsable({ process: worker }: Decoder): boolean {
  return !worker.hasExited() && existsSync(worker.folder)
}

function settingsOf(environment: Environment): DecoderSettings {
  return Object.fromEntries(SETTINGS.map((name) => [name, environment[name]])) as DecoderSettings
}

/** The CPU time of a process that waits has no limit; each answer has one. */
function limitsOf({ PROCESS_MEMORY_BYTES_MAX, OUTPUT_BYTES_MAX }: Environment): ProcessLimits {
  return {
    memory_bytes_max: PROCESS_MEMORY_BYTES_MAX + NODE_BYTES,
    ignores_reserved: true,
    file_bytes_max: OUTPUT_BYTES_MAX,
    cpu_seconds_max: null,
  }
}
