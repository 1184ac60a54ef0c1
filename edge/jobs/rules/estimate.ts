import { planPipeline, type Stage } from '../../../shared/planning/pipeline.ts'
import { estimateVideoSeconds, imageSeconds } from '../../../shared/planning/typical-times.ts'
import type { InputSize } from '../../../shared/protocol/job-report.ts'
import { priceOf, type Tariff } from './tariff.ts'
import { typicalFacts } from './typical-facts.ts'

/** Means of recent jobs of an operation: how long they took, and how long they typically take on two cores. */
export interface ProcessingRate {
  jobs: number
  seconds_mean: number
  typical_mean: number
}

/** Below this number of jobs, estimates are those of two cores. */
export const MEASURED_JOBS_MIN = 20

/** Size of an input in minutes of media or megapixels; 1 if it has neither. */
export function sizeOf({ duration_seconds, megapixels }: InputSize): number {
  if (duration_seconds !== null && duration_seconds > 0) return duration_seconds / 60
  return megapixels !== null && megapixels > 0 ? megapixels : 1
}

export interface Estimate {
  estimated_seconds: number
  estimated_credits: number
  estimated_from: 'recent_jobs' | 'typical_figures'
}

/** The input of a job: its length in seconds, or the pixels of an image; null if unknown. */
export interface GivenSize {
  duration_seconds: number | null
  megapixels: number | null
}

type Stages = readonly [Stage, ...Stage[]]

/**
 * Estimates the processing time and price of a job: the time that its plan takes on two cores, corrected by how much
 * longer or shorter recent jobs took than that. Contract: Jobs, Quote.
 * @param rates the measured rates by address, such as `video/compress`
 */
export function estimateJob(
  stages: Stages,
  rates: ReadonlyMap<string, ProcessingRate>,
  size: GivenSize,
  tariff: Tariff,
): Estimate {
  const measured = stages.flatMap(({ operation }) => {
    const rate = rates.get(`${operation.service}/${operation.key}`)
    return rate !== undefined && rate.jobs >= MEASURED_JOBS_MIN ? [rate] : []
  })
  const is_measured = measured.length === stages.length
  const seconds = is_measured ? measuredSeconds(stages, measured, size) : typicalSeconds(stages, size)
  return {
    estimated_seconds: Math.round(seconds * 10) / 10,
    estimated_credits: priceOf(tariff, seconds * 1000),
    estimated_from: is_measured ? 'recent_jobs' : 'typical_figures',
  }
}

/** Operations of a pipeline usually share one run, so the slowest one determines the time. */
function measuredSeconds(stages: Stages, rates: readonly ProcessingRate[], size: GivenSize): number {
  const isKnown = size.duration_seconds !== null || size.megapixels !== null
  if (!isKnown) return Math.max(...rates.map(({ seconds_mean }) => seconds_mean))
  const factors = rates.map(({ seconds_mean, typical_mean }) => seconds_mean / typical_mean)
  return typicalSeconds(stages, size) * Math.max(...factors)
}

/** Size of an input that the request does not describe. */
const TYPICAL_SECONDS = 120
const TYPICAL_MEGAPIXELS = 12
/** Length of an input that contains every part that the parameters can select. */
const LONG_SECONDS = 24 * 60 * 60

/**
 * Returns the length that an estimate assumes where none is known: a typical one, or a long one that contains every part
 * that the parameters select.
 */
export function assumedSeconds(stages: Stages): number {
  return plannedSeconds(stages, TYPICAL_SECONDS) === null ? LONG_SECONDS : TYPICAL_SECONDS
}

/** Returns the time of a job on two cores, for a typical input of this size. */
function typicalSeconds(stages: Stages, size: GivenSize): number {
  const [{ operation }] = stages
  if (operation.accepts.includes('image')) return imageSeconds(stages, size.megapixels ?? TYPICAL_MEGAPIXELS)
  return (
    plannedSeconds(stages, size.duration_seconds ?? TYPICAL_SECONDS) ??
    plannedSeconds(stages, LONG_SECONDS) ??
    TYPICAL_SECONDS
  )
}

/** Plans the job for a typical input. Returns null if the plan refuses it, such as a part after its end. */
function plannedSeconds(stages: Stages, duration_seconds: number): number | null {
  const plan = planPipeline(stages, typicalFacts(stages, duration_seconds))
  return 'refused' in plan ? null : estimateVideoSeconds(stages, plan, duration_seconds)
}
