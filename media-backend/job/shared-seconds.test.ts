import { expect, test } from 'vitest'
import { encodeSeconds } from './shared-seconds.ts'

const time = (cores: string, start: number, end: number) => ({
  cores,
  started_ms: start * 1000,
  ended_ms: end * 1000,
})

test('adds the times of workers with cores of their own', () => {
  expect(encodeSeconds([time('one/0', 0, 10), time('two/0', 3, 10), time('one/1', 0, 2)])).toBe(19)
})

test('counts time once in which workers shared their cores', () => {
  expect(encodeSeconds([time('one/0-1', 5, 9), time('one/0-1', 0, 6), time('one/0-1', 20, 21)])).toBe(10)
})

test('counts time once in which only some of the cores were shared, also by way of a third worker', () => {
  expect(encodeSeconds([time('one/0-1', 0, 6), time('one/2-3', 0, 6), time('two/0-3', 0, 6)])).toBe(18)
  expect(encodeSeconds([time('one/0-1', 0, 6), time('one/2-3', 0, 6), time('one/1-2', 3, 8)])).toBe(8)
})

test('does not count time without work', () => {
  expect(encodeSeconds([])).toBe(0)
})
