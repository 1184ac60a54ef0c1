import type { FfmpegStep } from '../../../shared/planning/steps.ts'

/** Returns the options of an encoder with another rate factor. */
export function withRate(options: readonly string[], rate: number): string[] {
  return options.map((option, position) => (options[position - 1] === '-crf' ? String(rate) : option))
}

/** Returns the step with another rate factor; null keeps its own. */
export function withStepRate(step: FfmpegStep, rate: number | null): FfmpegStep {
  if (rate === null) return step
  const { output } = step
  return { ...step, output: { ...output, options: withRate(output.options, rate) } }
}
