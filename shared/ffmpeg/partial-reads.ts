import type { Operation, Plan } from '../planning/operation.ts'
import { type FfmpegInput, SOURCE, type Step } from '../planning/steps.ts'

/** Above this share, downloading the whole input is faster than reading ranges. */
const SHARE_MAX = 0.5

/** Operations whose plans can read a small part of a video. Those of all others read all of it, whatever the video is. */
const READ_PARTS: readonly string[] = ['thumbnail', 'cover', 'gif', 'trim', 'circle']

/** Checks whether the plan of a video job will read all of its input, before anything is known about the input. */
export function readsAll(stages: readonly { operation: Pick<Operation, 'key'> }[]): boolean {
  return stages.every(({ operation }) => !READ_PARTS.includes(operation.key))
}

/** Checks whether a plan reads so little of its input that the rest does not need to be downloaded. */
export function readsParts({ steps }: Pick<Plan, 'steps'>, duration_seconds: number): boolean {
  return steps.every((step) => sourceSeconds(step) <= duration_seconds * SHARE_MAX)
}

/** Returns how many seconds of the input a step reads; infinity if the step does not declare it. */
function sourceSeconds(step: Step): number {
  if (step.kind === 'text' || step.kind === 'layer' || step.kind === 'emoji' || step.kind === 'join') return 0
  if (step.kind === 'check_cut') return step.reads_seconds
  if (step.kind !== 'ffmpeg') return step.input === SOURCE ? Number.POSITIVE_INFINITY : 0
  const { rate_search } = step
  const searched = rate_search === undefined ? 0 : rate_search.probes_max * inputSeconds(rate_search.inputs)
  return inputSeconds(step.inputs) + searched
}

function inputSeconds(inputs: readonly FfmpegInput[]): number {
  return inputs
    .filter(({ file }) => file === SOURCE)
    .reduce((sum, { reads_seconds = Number.POSITIVE_INFINITY }) => sum + reads_seconds, 0)
}
