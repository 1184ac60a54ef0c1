import type { RateSearch } from '../../../shared/planning/steps.ts'

/** The loss of detail that a probe measured at a rate factor. */
export interface Probed {
  rate: number
  loss: number
}

/** What to do next: probe another rate factor, or encode the video with it. */
export interface NextRate {
  rate: number
  is_final: boolean
}

/** Share by which the loss grows with each step of the rate factor (in logarithms). Measured: 0.11 to 0.23. */
const GROWTH = 0.16
const GROWTH_RANGE = { min: 0.1, max: 0.25 }
/** The first probe is this far between the bounds, near the result of most videos. */
const FIRST = 0.45
/** Another probe this close to a previous one says little. */
const NEAR = 1.5
const STEP = 0.5

/** Decides the next rate factor of a search, given the probes so far. */
export function chooseRate(
  probed: readonly Probed[],
  {
    loss_max,
    lowest,
    highest,
    probes_max,
  }: Pick<RateSearch, 'loss_max' | 'lowest' | 'highest' | 'probes_max'>,
): NextRate {
  const last = probed.at(-1)
  if (last === undefined) return { rate: roundDown(lowest + FIRST * (highest - lowest)), is_final: false }
  const nearest = probed.reduce((one, other) =>
    distance(other, loss_max) < distance(one, loss_max) ? other : one,
  )
  const wanted = nearest.rate + logRatio(loss_max, nearest.loss) / growthOf(probed)
  const rate = roundDown(Math.min(highest, Math.max(lowest, wanted)))
  const is_final = probed.length >= probes_max || Math.abs(rate - nearest.rate) < NEAR
  return { rate, is_final }
}

/** Returns the growth between two probes, or the typical one. */
function growthOf(probed: readonly Probed[]): number {
  const [one, other] = probed
  if (one === undefined || other === undefined || one.rate === other.rate) return GROWTH
  const growth = logRatio(other.loss, one.loss) / (other.rate - one.rate)
  return Math.min(GROWTH_RANGE.max, Math.max(GROWTH_RANGE.min, growth))
}

function distance({ loss }: Probed, loss_max: number): number {
  return Math.abs(logRatio(loss, loss_max))
}

/** Nearly identical frames count as this loss, because zero has no logarithm. */
const LOSS_MIN = 1e-4

function logRatio(one: number, other: number): number {
  return Math.log(Math.max(one, LOSS_MIN) / Math.max(other, LOSS_MIN))
}

function roundDown(rate: number): number {
  return Math.floor(rate / STEP) * STEP
}
