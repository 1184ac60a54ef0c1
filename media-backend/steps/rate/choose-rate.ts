import type { RateScale, RateSearch } from '../../../shared/planning/steps.ts'

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

/** Range of the growth of the loss, relative to that of a typical video. */
const GROWTH_RANGE = { min: 0.625, max: 1.5625 }
/** The first probe is this far between the bounds, near the result of most videos. */
const FIRST = 0.45
/** Another probe whose loss would differ by less than this (in logarithms) says little. */
const NEAR = 0.24

/** Decides the next rate factor of a search, given the probes so far. */
export function chooseRate(
  probed: readonly Probed[],
  {
    loss_max,
    lowest,
    highest,
    probes_max,
    scale,
  }: Pick<RateSearch, 'loss_max' | 'lowest' | 'highest' | 'probes_max' | 'scale'>,
): NextRate {
  const roundDown = (rate: number) => Math.floor(rate / scale.step) * scale.step
  if (probed.length === 0) return { rate: roundDown(lowest + FIRST * (highest - lowest)), is_final: false }
  const nearest = probed.reduce((one, other) =>
    distance(other, loss_max) < distance(one, loss_max) ? other : one,
  )
  const rateAt = (growth: number) => {
    const wanted = nearest.rate + logRatio(loss_max, nearest.loss) / growth
    return roundDown(Math.min(highest, Math.max(lowest, wanted)))
  }
  const rate = rateAt(growthOf(probed, scale))
  // At a bound of the range, another probe would often confirm only that.
  const is_certain = rateAt(GROWTH_RANGE.min * scale.growth) === rateAt(GROWTH_RANGE.max * scale.growth)
  const is_near = Math.abs(rate - nearest.rate) * scale.growth < NEAR
  return { rate, is_final: probed.length >= probes_max || is_certain || is_near }
}

/** Returns the growth between two probes, or the typical one. */
function growthOf(probed: readonly Probed[], { growth: typical }: RateScale): number {
  const [one, other] = probed
  if (one === undefined || other === undefined || one.rate === other.rate) return typical
  const growth = logRatio(other.loss, one.loss) / (other.rate - one.rate)
  return Math.min(GROWTH_RANGE.max * typical, Math.max(GROWTH_RANGE.min * typical, growth))
}

function distance({ loss }: Probed, loss_max: number): number {
  return Math.abs(logRatio(loss, loss_max))
}

/** Nearly identical frames count as this loss, because zero has no logarithm. */
const LOSS_MIN = 1e-4

function logRatio(one: number, other: number): number {
  return Math.log(Math.max(one, LOSS_MIN) / Math.max(other, LOSS_MIN))
}
