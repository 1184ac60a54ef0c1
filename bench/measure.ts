import type { Bench } from './system.ts'

/** Results of one round: the product and the reference are measured sequentially. */
export interface Round {
  ours: number
  reference: number
}

/** Side measured first. It alternates per round, so that neither side always runs on the warmer machine. */
export type Order = 'ours first' | 'reference first'

/** A comparison with a goal for the ratio ours / reference. */
export interface Measure {
  name: string
  /** Human-readable description of both sides. */
  title: string
  unit: string
  goal: number
  /** `at most` for times and sizes, `at least` for rates. */
  direction: 'at most' | 'at least'
  /** True when the measure runs against the whole system, which is started once for all such measures. */
  needsSystem: boolean
  /** Overrides the default number of rounds where one round is slow and hardly varies. */
  rounds?: number
  open(bench: Bench): Promise<OpenMeasure>
}

/** A measure with its inputs created and both sides warmed up. */
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
