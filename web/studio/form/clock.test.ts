import { expect, test } from 'vitest'
import { parseClock, writeClock } from './clock.ts'

test.each([
  ['65', 65, '1:05'],
  ['1:05.25', 65.25, '1:05.25'],
  ['1:05,25', 65.25, '1:05.25'],
  ['1:02:30', 3750, '1:02:30'],
  ['0.04', 0.04, '0:00.04'],
  ['90:00', 5400, '1:30:00'],
])('%s is %d seconds, written as %s', (text, seconds, written) => {
  expect(parseClock(text)).toBe(seconds)
  expect(writeClock(seconds)).toBe(written)
})

test.each(['1:60', '1:99:00', 'soon', '-1', '1:2:3:4'])('%s is no time', (text) => {
  expect(parseClock(text)).toBeNaN()
})

test('no text is no time', () => {
  expect(parseClock(' ')).toBe(null)
})
