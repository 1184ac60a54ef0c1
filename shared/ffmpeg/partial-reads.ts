import type { Plan } from '../planning/operation.ts'
import { SOURCE, type Step } from '../planning/steps.ts'

/** More than this share of the input is had sooner by fetching it whole. */
const SHARE_MAX = 0.5

/** Whether a plan reads so little of its input that the rest need not be fetched. */
export function readsParts({ steps }: Pick<Plan, 'steps'>, duration_seconds: number): boolean {
  return steps.every((step) => sourceSeconds(step) <= duration_seconds * SHARE_MAX)
}

/** How many seconds of the input a step reads; without end where it doesn't say. */
function sourceSeconds(step: Step): number {
  if (step.kind === 'text' || step.kind === 'layer') return 0
  if (step.kind !== 'ffmpeg') return step.input === SOURCE ? Number.POSITIVE_INFINITY : 0
  return step.inputs
    .filter(({ file }) => file === SOURCE)
    .reduce((sum, { reads_seconds = Number.POSITIVE_INFINITY }) => sum + reads_seconds, 0)
}
