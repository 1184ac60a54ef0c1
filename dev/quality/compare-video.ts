import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { fileIn } from '../../media-backend/runtime/folder.ts'
import type { Run } from '../../media-backend/runtime/run.ts'
import { runSteps } from '../../media-backend/steps/index.ts'
import { runPlan } from '../../media-backend/steps/plan.ts'
import { searchRate } from '../../media-backend/steps/rate/search-rate.ts'
import { planVideo } from '../../media-backend/testing/plan-video.ts'
import { levelRate, similarVideo } from '../../shared/ffmpeg/compressed-video.ts'
import { webVideo } from '../../shared/ffmpeg/filters.ts'
import type { Plan } from '../../shared/planning/operation.ts'
import { type FfmpegStep, SOURCE } from '../../shared/planning/steps.ts'
import { measureOnce } from './measure-cache.ts'
import { measureCpu } from './measure-cpu.ts'
import { type MeasuredVideo, measureVideo } from './measure-video.ts'

export interface ComparedVideo {
  name: string
  seconds: number
  input_bytes: number
  fixed: EncodedVideo
  searched: EncodedVideo
  search_cpu_seconds: number
}

export interface EncodedVideo extends MeasuredVideo {
  rate: number
  bytes: number
  cpu_seconds: number
}

/** The options of an encoder, and those before there was a search. */
export interface EncoderChange {
  options: readonly string[]
  former: readonly string[]
}

/** The rate factors that each level used before it searched. */
export const FIXED = { light: 23, medium: 28, strong: 33 } as const
export type Level = keyof typeof FIXED

export function changeOfLevel(level: Level): EncoderChange {
  const preset = 'medium'
  return {
    options: similarVideo('h264', { crf: levelRate('h264', level, preset), preset }),
    former: webVideo({ crf: FIXED[level], preset }),
  }
}

/** What to compare: an operation with its parameters, and the change of its encoder. */
export interface Comparison {
  operation: [key: string, params: Record<string, unknown>]
  encoder: EncoderChange
  /** The operation chooses other frames than those of the source, so results are compared with a lossless one. */
  changes_frames?: true
  /** The operation needs speech. Only videos whose names begin with `speech` have some, and other operations leave these out. */
  needs_speech?: true
}

/**
 * Compares an operation, which searches for a rate factor, with the same operation and its former encoder.
 * @returns null if the operation copies the video.
 */
export async function compareVideo(
  path: string,
  { operation, encoder, changes_frames }: Comparison,
): Promise<Omit<ComparedVideo, 'name'> | null> {
  return planVideo(path, operation, async ({ fallback, ...copy }, run, probe) => {
    // The fallback of a copy encodes everything.
    const plan = fallback ?? copy
    if (plan.encode_mode === 'remux' || plan.encode_mode === 'video_copy') return null
    const { rate_search, ...step } = stepOf(plan)
    const { made, cpu_seconds } = await measureCpu(async () =>
      rate_search === undefined ? step : searchRate({ ...step, rate_search }, run, () => {}),
    )
    const reference = changes_frames
      ? await encodeLossless(withEncoder(step, encoder, LOSSLESS), run)
      : SOURCE
    return {
      seconds: probe.duration_seconds,
      input_bytes: (await stat(path)).size,
      fixed: await encode(plan, withEncoder(step, encoder, encoder.former), reference, run),
      searched: await encode(plan, made, reference, run),
      search_cpu_seconds: rate_search === undefined ? 0 : cpu_seconds,
    }
  })
}

const LOSSLESS = ['-c:v', 'libx264', '-preset', 'ultrafast', '-qp', '0']

/** Makes what an operation encodes, without loss, and returns the name of the file. */
async function encodeLossless(step: FfmpegStep, run: Run): Promise<string> {
  const file = 'reference.mkv'
  await runSteps([{ ...step, output: { ...step.output, file } }], run, () => {})
  return file
}

/** Returns the step with other options of its video encoder. */
function withEncoder(
  step: FfmpegStep,
  { options: own }: EncoderChange,
  other: readonly string[],
): FfmpegStep {
  const { options } = step.output
  const at = options.indexOf('-c:v')
  if (!own.every((option, position) => options[at + position] === option))
    throw new Error(`expected ${own.join(' ')} in ${options.join(' ')}`)
  // Formerly, no operation chose how far apart keyframes are.
  const after = at + own.length
  const rest = options.slice(options[after] === '-g' ? after + 2 : after)
  return { ...step, output: { ...step.output, options: [...options.slice(0, at), ...other, ...rest] } }
}

function stepOf({ steps }: Plan): FfmpegStep {
  const step = steps.find((each) => each.kind === 'ffmpeg')
  if (step?.kind !== 'ffmpeg') throw new Error('the operation runs ffmpeg')
  return step
}

async function encode(plan: Plan, step: FfmpegStep, reference: string, run: Run): Promise<EncodedVideo> {
  const source = fileIn(run.folder, SOURCE)
  const made = { ...plan, steps: [...plan.steps.filter(({ kind }) => kind !== 'ffmpeg'), step] }
  const { VMAF_FFMPEG = null } = process.env
  return measureOnce(
    {
      made,
      source: createHash('sha256')
        .update(await readFile(source))
        .digest('hex'),
      VMAF_FFMPEG,
    },
    async () => {
      const {
        made: {
          plan: { outputs },
        },
        cpu_seconds,
      } = await measureCpu(() => runPlan(made, run, () => {}))
      const path = fileIn(run.folder, outputs[0].file)
      const { size: bytes } = await stat(path)
      return {
        rate: rateOf(step),
        bytes,
        cpu_seconds,
        ...(await measureVideo(path, fileIn(run.folder, reference))),
      }
    },
  )
}

function rateOf({ output: { options } }: FfmpegStep): number {
  return Number(options[options.indexOf('-crf') + 1])
}
