import { expect, test } from 'vitest'
import { type Job, JobError, MediaError } from '../node/index.ts'
import { exitCodeOf, UsageError } from './exit-codes.ts'
import { worstOf } from './run-operation.ts'
import { formatRow, formatSize, formatTable } from './terminal.ts'

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1500, '1.5 kB'],
  [38_640, '38.6 kB'],
  [16_413_724, '16.4 MB'],
  [5e12, '5000 GB'],
])('%i bytes are %s', (bytes, text) => {
  expect(formatSize(bytes)).toBe(text)
})

test('a row fits the width of the terminal and keeps the end of a long name', () => {
  const row = formatRow({ name: `folder/${'x'.repeat(40)}.jpg`, state: 'processing', fraction: 0.5 }, 60)
  expect(row).toHaveLength(59)
  expect(row).toMatch(/^…x+\.jpg █{12}░{12} +50%/)
  expect(formatRow({ name: 'a', state: 'queued', fraction: 7 }, 80)).toContain('█'.repeat(24))
})

test('columns are as wide as their widest cell', () => {
  expect(
    formatTable([
      ['a', 'b'],
      ['long', 'c'],
    ]),
  ).toBe('a     b\nlong  c')
})

const response = (status: number) => new MediaError('', { status, code: 'any' })

test.each([
  [new JobError({ status: 'failed' } as Job), 1],
  [new UsageError(''), 2],
  [response(400), 2],
  [response(404), 2],
  [response(401), 3],
  [response(403), 3],
  [response(402), 4],
  [new MediaError('', { code: 'network_error' }), 5],
  [response(429), 5],
  [response(503), 5],
])('%o has the exit code %i', (error, code) => {
  expect(exitCodeOf(error)).toBe(code)
})

test('the exit code of several jobs is the one that matters most', () => {
  expect([worstOf([0, 0]), worstOf([0, 1]), worstOf([1, 4, 5]), worstOf([1, 130, 3])]).toEqual([0, 1, 4, 130])
})
