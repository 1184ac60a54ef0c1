import type { Bench } from './system.ts'

/** One round of a measure: the product and the reference, measured one after the other. */
export interface Round {
  ours: number
  reference: number
}

/** Which of the two goes first: it changes every round, so that neither always gets the warmer machine. */
export type Order = 'ours first' | 'reference first'

/** A goal for the ratio ours / reference. */
export interface Measure {
  name: string
  /** What is compared with what, for a person. */
  title: string
  unit: string
  goal: number
  /** Times should stay below their goal, rates above. */
  direction: 'at most' | 'at least'
  /** Whether it runs against the whole system, which is then started once for all that do. */
  needsSystem: boolean
  /** Where one round takes long and hardly varies: fewer than all others take. */
  rounds?: number
  open(bench: Bench): Promise<OpenMeasure>
}

/** A measure that has made its inputs and warmed up what it measures. */
export interface OpenMeasure {
  round(order: Order): Promise<Round>
  close(): Promise<void>
}

/** Measures both, in the order of this round. */
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
