import type { Measure, Round } from './measure.ts'

export interface Spread {
  median: number
  min: number
  max: number
}

export interface Result {
  name: string
  title: string
  unit: string
  goal: number
  direction: Measure['direction']
  /** Ratios are computed per round, because a temporary slowdown of the machine affects both sides of a round. */
  ratio: Spread
  met: boolean
  ours: Spread
  reference: Spread
  rounds: Round[]
}

/** Compares the median of the per-round ratios with the goal. */
export function summarize(measure: Measure, rounds: Round[]): Result {
  const { name, title, unit, goal, direction } = measure
  const ratio = spreadOf(rounds.map(({ ours, reference }) => ours / reference))
  const met = direction === 'at most' ? ratio.median <= goal : ratio.median >= goal
  const ours = spreadOf(rounds.map((round) => round.ours))
  const reference = spreadOf(rounds.map((round) => round.reference))
  return { name, title, unit, goal, direction, ratio, met, ours, reference, rounds }
}

export function spreadOf(values: readonly number[]): Spread {
  return { median: medianOf(values), min: Math.min(...values), max: Math.max(...values) }
}

/** @throws Error if there are no values. */
export function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const upper = sorted[Math.floor(sorted.length / 2)]
  const lower = sorted[Math.floor((sorted.length - 1) / 2)]
  if (upper === undefined || lower === undefined) throw new Error('An empty list has no median')
  return (lower + upper) / 2
}
