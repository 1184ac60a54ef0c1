import type { Operation } from '../../../shared/planning/operation.ts'
import type { InputSize } from '../../../shared/protocol/job-report.ts'
import { priceOf, type Tariff } from './tariff.ts'
import { TYPICAL_RATES } from './typical-rates.ts'

/** Means of recent jobs of an operation. The size is in minutes of media or megapixels; 1 if it has neither. */
export interface ProcessingRate {
  jobs: number
  seconds_mean: number
  size_mean: number
}

/** Below this number of jobs, estimates use the typical rates of the operation. */
export const MEASURED_JOBS_MIN = 20

/** Returns the size of an input in the unit of its rate. */
export function sizeOf({ duration_seconds, megapixels }: InputSize): number {
  if (duration_seconds !== null && duration_seconds > 0) return duration_seconds / 60
  return megapixels !== null && megapixels > 0 ? megapixels : 1
}

export interface Estimate {
  estimated_seconds: number
  estimated_credits: number
  estimated_from: 'recent_jobs' | 'typical_figures'
}

/**
 * Estimates the processing time and price of a job from the rates of its operations. Operations of a pipeline usually
 * share one run, so the slowest one determines the time. Contract: Jobs, Quote.
 * @param rates the measured rates by address, such as `video/compress`
 * @param size minutes or megapixels of the input; null if unknown, which counts as the mean input
 */
export function estimateJob(
  operations: readonly Pick<Operation, 'service' | 'key'>[],
  rates: ReadonlyMap<string, ProcessingRate>,
  size: number | null,
  tariff: Tariff,
): Estimate {
  const estimates = operations.map(({ service, key }) => estimateOperation(`${service}/${key}`, rates, size))
  const seconds = Math.max(...estimates.map((each) => each.seconds))
  return {
    estimated_seconds: Math.round(seconds * 10) / 10,
    estimated_credits: priceOf(tariff, seconds * 1000),
    estimated_from: estimates.every((each) => each.is_measured) ? 'recent_jobs' : 'typical_figures',
  }
}

function estimateOperation(
  address: string,
  rates: ReadonlyMap<string, ProcessingRate>,
  size: number | null,
): { seconds: number; is_measured: boolean } {
  const measured = rates.get(address)
  const is_measured = measured !== undefined && measured.jobs >= MEASURED_JOBS_MIN
  const { seconds_mean, size_mean } = is_measured ? measured : (TYPICAL_RATES[address] ?? FALLBACK)
  if (size === null) return { seconds: seconds_mean, is_measured }
  return { seconds: (seconds_mean / size_mean) * size, is_measured }
}

const FALLBACK = { seconds_mean: 120, size_mean: 2 }
