import { expect, test } from 'vitest'
import { chooseRate, type Probed } from './choose-rate.ts'

const SEARCH = { loss_max: 0.01, lowest: 26, highest: 36, probes_max: 2, scale: { step: 0.5, growth: 0.16 } }

/** Loss that grows by 16% with each step of the rate factor, and is 0.01 at `rate`. */
const lossAt = (rate: number, exact = 30, growth = 0.16) => 0.01 * Math.exp(growth * (rate - exact))

test.each<[string, Probed[], number, boolean, number?]>([
  ['starts near the middle of the range', [], 30.5, false],
  ['probes where the first probe points', [{ rate: 30.5, loss: lossAt(30.5, 33) }], 33, false],
  ['encodes near a probe without another', [{ rate: 30.5, loss: lossAt(30.5, 31) }], 31, true],
  ['encodes after the last probe', [{ rate: 30.5, loss: lossAt(30.5, 34) }], 34, true, 1],
  ['probes the highest factor if it may be too high', [{ rate: 30.5, loss: lossAt(30.5, 37) }], 36, false],
  ['encodes with the highest factor if it is low enough for any video', [{ rate: 30.5, loss: 0 }], 36, true],
  ['encodes with the lowest factor if it is too high for any video', [{ rate: 30.5, loss: 1 }], 26, true],
  [
    'interpolates between two probes',
    [30.5, 34].map((rate) => ({ rate, loss: lossAt(rate, 32, 0.22) })),
    32,
    true,
  ],
  [
    'continues with the growth between two probes',
    [30.5, 33].map((rate) => ({ rate, loss: lossAt(rate, 35, 0.12) })),
    35,
    true,
  ],
  ['rounds down, to the better quality', [{ rate: 30.5, loss: lossAt(30.5, 30.9) }], 30.5, true],
])('%s', (_, probed, rate, is_final, probes_max = 2) => {
  expect(chooseRate(probed, { ...SEARCH, probes_max })).toEqual({ rate, is_final })
})

test('an encoder with another scale gets factors of that scale', () => {
  const search = { ...SEARCH, lowest: 30, highest: 42, scale: { step: 1, growth: 0.08 } }
  const first = chooseRate([], search)
  expect(first).toEqual({ rate: 35, is_final: false })
  const probed = [{ rate: first.rate, loss: lossAt(first.rate, 39.5, 0.08) }]
  expect(chooseRate(probed, search)).toEqual({ rate: 39, is_final: false })
  expect(chooseRate([{ rate: 35, loss: lossAt(35, 37.5, 0.08) }], search)).toEqual({
    rate: 37,
    is_final: true,
  })
})

test('ignores a growth that no video has', () => {
  const falls = [
    { rate: 30.5, loss: 0.006 },
    { rate: 33, loss: 0.005 },
  ]
  expect(chooseRate(falls, SEARCH).rate).toBeLessThanOrEqual(36)
})
