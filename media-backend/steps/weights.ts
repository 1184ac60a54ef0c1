import type { Step } from '../../shared/operations/steps.ts'

/**
 * What part of a plan's progress each step is, by the time that it writes; together they are 1. Texts and
 * pictures count for nothing beside a video, and all the same where there is nothing else.
 */
export function weighSteps(steps: readonly Step[]): number[] {
  const seconds = steps.map((step) => (step.kind === 'ffmpeg' ? (step.output_duration_seconds ?? 0) : 0))
  const total = seconds.reduce((sum, each) => sum + each, 0)
  return seconds.map((each) => (total > 0 ? each / total : 1 / steps.length))
}
