import type { Bench } from './system.ts'

/** Results of one round. The product and the reference are measured one after the other. */
export interface Round {
  ours: number
  reference: number
}

/** The side measured first. It alternates between rounds, so neither side always runs on the warmer machine. */
export type Order = 'ours first' | 'reference first'

/** A comparison with a goal for the ratio ours / reference. */
export interface Measure {
  name: string
  /** Human-readable description of both sides. */
  title: string
  unit: string
  goal: number
  /** `at most` is used for times and sizes, and `at least` for rates. */
  direction: 'at most' | 'at least'
  /** True if the measure runs against the whole system, which is started once for all such measures. */
  needsSystem: boolean
  /** Overrides the default number of rounds if a round is slow and its results hardly vary. */
  rounds?: number
  open(bench: Bench): Promise<OpenMeasure>
}

/** A measure whose inputs exist and whose sides are both warmed up. */
export interface OpenMeasure {
  round(order: Order): Promise<Round>
  close(): Promise<void>
}

/** Measures both sides in the given order. */
export async function measureBoth(
  order: Order,
  measureOurs: () => Promise<number>,
  measureReference: () => Promise<number>,
): Promise<Round> {
  if (order === 'ours first') {
    const ours = await measureOurs()
    return { ours, reference: await measureReference() }
  }
  const reference = await measureReference()
  return { ours: await measureOurs(), reference }
}
