import { expect, test } from 'vitest'
import { judgePart, rangeHeaders, readVersion } from './resume.ts'

const DATE = 'Sat, 28 Nov 2026 10:00:00 GMT'
const VERSION = { validator: '"v1"', etag: '"v1"', total_bytes: 1000, coding: '' }

test.each([
  [{ etag: '"v1"' }, '"v1"'],
  [{ etag: '"v1"', 'last-modified': DATE, date: DATE }, '"v1"'],
  [{ etag: 'W/"v1"', 'last-modified': 'Sat, 28 Nov 2026 09:00:00 GMT', date: DATE }, null],
  [{ 'last-modified': 'Sat, 28 Nov 2026 09:59:59 GMT', date: DATE }, 'Sat, 28 Nov 2026 09:59:59 GMT'],
  [{ 'last-modified': DATE, date: DATE }, null],
  [{ 'last-modified': DATE }, null],
  [{ 'last-modified': 'yesterday', date: DATE }, null],
  [{}, null],
])('finds the validator of %j', (headers, validator) => {
  expect(readVersion(headers).validator).toBe(validator)
})

test('requests the rest only of a file that can be compared', () => {
  expect(rangeHeaders(VERSION, 10)).toEqual({ range: 'bytes=10-', 'if-range': '"v1"' })
  expect(rangeHeaders({ ...VERSION, validator: null }, 10)).toEqual({})
  expect(rangeHeaders(VERSION, 0)).toEqual({})
  expect(rangeHeaders(null, 10)).toEqual({})
})

const PART = { 'content-range': 'bytes 10-999/1000' }

test.each([
  [206, PART, 'continue'],
  [206, { 'content-range': 'bytes 10-999/*' }, 'continue'],
  [206, { ...PART, etag: '"v1"' }, 'continue'],
  [206, { ...PART, etag: '"v2"' }, 'restart'],
  [206, { ...PART, 'content-encoding': 'gzip' }, 'restart'],
  [206, { 'content-range': 'bytes 9-999/1000' }, 'restart'],
  [206, { 'content-range': 'bytes 10-1999/2000' }, 'restart'],
  [206, {}, 'restart'],
  [416, { 'content-range': 'bytes */10' }, 'complete'],
  [416, { 'content-range': 'bytes */9' }, 'restart'],
  [416, {}, 'restart'],
])('judges %i with %j', (status, headers, verdict) => {
  expect(judgePart(status, headers, VERSION, 10)).toBe(verdict)
})
