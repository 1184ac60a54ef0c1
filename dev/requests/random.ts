/**
 * A deterministic source of random choices: the same seed and number produce the same sequence. It does not use
 * fast-check, because values depend on earlier responses: a failing request can be repeated but not shrunk.
 */
export interface Random {
  /** Returns a number in [0, 1). */
  next(): number
  /** Returns an integer from `min` to `max`, inclusive. */
  int(min: number, max: number): number
  chance(share: number): boolean
  /** @throws Error if the list is empty */
  pick<Item>(list: readonly Item[]): Item
}

export function randomOf(seed: number, number: number): Random {
  let state = (Math.imul(seed + 1, 0x9e3779b1) ^ Math.imul(number + 1, 0x85ebca6b)) >>> 0
  // The mulberry32 generator.
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const int = (min: number, max: number) => min + Math.floor(next() * (max - min + 1))
  return {
    next,
    int,
    chance: (share) => next() < share,
    pick: (list) => {
      const index = int(0, list.length - 1)
      if (list.length === 0) throw new Error('The list is empty.')
      return list[index] as (typeof list)[number]
    },
  }
}
