import { expect, test } from 'vitest'
import { mayRestart } from './clock.ts'

/** Builds very short samples that start at these seconds. */
const pieces = (...seconds: number[]) => seconds.map((start) => [start, start + 0.02])

test.each([
  ['advances evenly', pieces(0, 10, 20, 30, 40), 40, false],
  ['advances more slowly in between', pieces(0, 10, 20, 30, 90, 100), 100, false],
  ['has one sample', [[1, 1.5, 2]], 1, false],
  ['restarts', pieces(0, 10, 20, 0, 10, 20), 20, true],
  ['restarts within a sample', [[0, 1], [2, 0.1], [1]], 1, true],
  ['jumps', pieces(0, 10, 20, 5000, 5010, 5020), 5020, true],
  ['covers another duration than the header declares', pieces(0, 10, 20), 60, true],
])('mayRestart is correct for a clock that %s', (_, clocks, declared_seconds, expected) => {
  expect(mayRestart(clocks, declared_seconds)).toBe(expected)
})
