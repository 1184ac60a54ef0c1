import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { FAILURE_NAMES } from '../../../shared/failures/failures.ts'
import type { ImageStep } from '../../../shared/planning/steps.ts'
import { FailureReport } from '../../../shared/protocol/job-report.ts'
import type { Environment } from '../../environment.ts'
import { failWith, JobFailure } from '../../runtime/failure.ts'
import { fileIn } from '../../runtime/folder.ts'
import { CRASHES } from '../../runtime/image-program.ts'
import { holdRoom } from '../../runtime/image-room.ts'
import { errorText, log } from '../../runtime/log.ts'
import { NODE_FLAGS } from '../../runtime/node-flags.ts'
import { runProcess } from '../../runtime/process.ts'
import type { Run } from '../../runtime/run.ts'
import { imageFailure, openImage, outOfTime } from '../../runtime/sharp.ts'
import { runImage } from './image.ts'
import type { ImageMeasure } from './measure.ts'
import { estimateBytes } from './memory.ts'

const PROGRAM = fileURLToPath(new URL('./process-entry.ts', import.meta.url))
/**
 * Extra time before the process is killed. It allows Node to start and a quality search to return its best result.
 */
const GRACE_SECONDS = 10
/** Node reserves address space that it never uses. The estimate is what limits the memory. */
const ADDRESSES_MAX = 2 ** 40

/**
 * The settings that drawing needs. They include no secrets, because the arguments of a process are visible to
 * others.
 */
const SETTINGS = [
  ...(['IMAGE_PIXELS_MAX', 'IMAGE_SECONDS_MAX', 'IMAGE_MEMORY_BYTES_MAX', 'IMAGE_CONCURRENCY'] as const),
  ...(['ANIMATION_PIXELS_MAX', 'PROCESS_MEMORY_BYTES_MAX', 'OUTPUT_BYTES_MAX', 'JOB_SECONDS_MAX'] as const),
] satisfies (keyof Environment)[]

/** The input of the child process. */
export interface ImageProcessInput {
  step: ImageStep
  folder: string
  environment: Pick<Environment, (typeof SETTINGS)[number]>
}

/** The response of the child process, printed as the last line of its output. */
const Answer = z.union([
  z.object({ measured: z.looseObject({ width: z.int(), height: z.int() }) }),
  z.object({ failed: FailureReport.extend({ name: z.enum(FAILURE_NAMES) }) }),
  z.object({ error: z.string() }),
])
export type ImageProcessOutput = z.input<typeof Answer>

/**
 * Draws an image, in a child process if it is large. Native sharp calls cannot be interrupted, but a process can,
 * so work ends at once when the job is canceled or out of time.
 * @throws JobFailure like runImage, or if the image crashes the process.
 */
export async function drawImage(step: ImageStep, run: Run): Promise<ImageMeasure> {
  const header = await openImage(fileIn(run.folder, step.input), run.environment)
    .metadata()
    .catch((error: unknown) => {
      throw imageFailure(error, run.environment)
    })
  const bytes = estimateBytes(step, header)
  if (bytes < run.environment.IMAGE_PROCESS_BYTES_MIN) return runImage(step, run)
  return holdRoom(bytes, run, () => drawInProcess(step, run))
}

async function drawInProcess(step: ImageStep, run: Run): Promise<ImageMeasure> {
  const { folder, environment } = run
  const settings = Object.fromEntries(SETTINGS.map((name) => [name, environment[name]]))
  const input = JSON.stringify({ step, folder, environment: settings })
  const seconds_max = environment.IMAGE_SECONDS_MAX + GRACE_SECONDS
  const too_late = AbortSignal.timeout(seconds_max * 1000)
  const { code, ended_by, stdout, stderr } = await runProcess(
    process.execPath,
    [...NODE_FLAGS, PROGRAM, input],
    {
      limits: {
        memory_bytes_max: ADDRESSES_MAX,
        file_bytes_max: environment.OUTPUT_BYTES_MAX,
        cpu_seconds_max: 2 * seconds_max,
      },
      folder,
      signal: AbortSignal.any([run.signal, too_late]),
    },
  ).catch((error: unknown) => {
    if (too_late.aborted && !run.signal.aborted) throw outOfTime()
    throw error
  })
  if (ended_by === 'SIGXCPU') throw outOfTime()
  if (code === 0) return readAnswer(stdout)
  log('image_process_failed', { code, ended_by, stderr: errorText(stderr.slice(-1000)) })
  if (ended_by !== null && CRASHES.has(ended_by)) throw failWith('image_unreadable')
  throw new Error(`the process of an image ended by ${ended_by ?? code}`)
}

/** Parses the response. The lines before it are the process's log, which is passed through. */
function readAnswer(stdout: string): ImageMeasure {
  const lines = stdout.trimEnd().split('\n')
  for (const line of lines.slice(0, -1)) process.stdout.write(`${line}\n`)
  const answer = Answer.parse(JSON.parse(lines.at(-1) ?? ''))
  if ('measured' in answer) return answer.measured
  if ('failed' in answer) throw new JobFailure(answer.failed)
  throw new Error(answer.error)
}
