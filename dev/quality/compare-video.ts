import { stat } from 'node:fs/promises'
import { fileIn } from '../../media-backend/runtime/folder.ts'
import type { Run } from '../../media-backend/runtime/run.ts'
import { runPlan } from '../../media-backend/steps/plan.ts'
import { searchRate } from '../../media-backend/steps/rate/search-rate.ts'
import { planVideo } from '../../media-backend/testing/plan-video.ts'
import type { Plan } from '../../shared/planning/operation.ts'
import { type FfmpegStep, SOURCE } from '../../shared/planning/steps.ts'
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

/** The rate factors that each level used before it searched. */
export const FIXED = { light: 23, medium: 28, strong: 33 } as const
export type Level = keyof typeof FIXED

/** Compares `compress`, which searches for a rate factor, with the same operation at the fixed one. */
export async function compareVideo(path: string, level: Level): Promise<Omit<ComparedVideo, 'name'>> {
  const { output } = await planVideo(path, ['compress', { crf: FIXED[level] }], async (plan) => stepOf(plan))
  return planVideo(path, ['compress', { level }], async (plan, run, probe) => {
    const { rate_search, ...step } = stepOf(plan)
    const { made, cpu_seconds } = await measureCpu(async () =>
      rate_search === undefined ? step : searchRate({ ...step, rate_search }, run, () => {}),
    )
    return {
      seconds: probe.duration_seconds,
      input_bytes: (await stat(path)).size,
      fixed: await encode(plan, { ...step, output }, run),
      searched: await encode(plan, made, run),
      search_cpu_seconds: rate_search === undefined ? 0 : cpu_seconds,
    }
  })
}

function stepOf({ steps }: Plan): FfmpegStep {
  const step = steps.find((each) => each.kind === 'ffmpeg')
  if (step?.kind !== 'ffmpeg') throw new Error('compress runs ffmpeg')
  return step
}

async function encode(plan: Plan, step: FfmpegStep, run: Run): Promise<EncodedVideo> {
  const { made, cpu_seconds } = await measureCpu(() => runPlan({ ...plan, steps: [step] }, run, () => {}))
  const path = fileIn(run.folder, made.plan.outputs[0].file)
  const { size: bytes } = await stat(path)
  return { rate: rateOf(step), bytes, cpu_seconds, ...(await measureVideo(path, fileIn(run.folder, SOURCE))) }
}

function rateOf({ output: { options } }: FfmpegStep): number {
  return Number(options[options.indexOf('-crf') + 1])
}
