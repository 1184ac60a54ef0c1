/**
 * A deterministic source of random choices: the same seed and number give the same sequence. Not fast-check: values
 * depend on earlier responses, so that a failing request can be repeated but not shrunk.
 */
export interface Random {
  /** In [0, 1). */
  next(): number
  /** Both ends are possible. */
  int(min: number, max: number): number
  chance(share: number): boolean
  /** @throws Error for an empty list. */
  pick<Item>(list: readonly Item[]): Item
}

export function randomOf(seed: number, number: number): Random {
  let state = (Math.imul(seed + 1, 0x9e3779b1) ^ Math.imul(number + 1, 0x85ebca6b)) >>> 0
  // mulberry32
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
