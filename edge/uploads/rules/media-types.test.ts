import { expect, test } from 'vitest'
import { CONTENT_TYPES } from '../../../shared/planning/formats.ts'
import {
  ACCEPTED_TYPES,
  bareType,
  DECLARED_TYPE,
  DECLARED_TYPE_PATTERN,
  isReadableType,
  servedType,
} from './media-types.ts'

test.each([
  ['video/mp4', true],
  ['application/vnd.ms-excel', true],
  ['image/svg+xml', true],
  ['video/webm;codecs=vp9,opus', true],
  ['video/mp4; codecs="avc1.42E01E, mp4a.40.2"', true],
  ['video', false],
  ['video/', false],
  ['video/*', false],
  ['video/mp4\r\nX: 1', false],
  ['video/mp4; codecs=x\r\nX: 1', false],
  ['', false],
])('%j is a content type: %s', (text, expected) => {
  expect(DECLARED_TYPE.test(text)).toBe(expected)
})

test.each([
  ['video/mp4', true],
  ['video/*', true],
  ['video/webm;codecs=vp9', true],
  ['*/*', false],
  ['video', false],
  ['video/m*', false],
])('%s is a valid type of a link: %s', (type, expected) => {
  expect(DECLARED_TYPE_PATTERN.test(type)).toBe(expected)
})

test.each([
  ['video/webm;codecs=vp9,opus', 'video/webm'],
  ['Video/MP4 ; codecs="avc1"', 'video/mp4'],
  ['audio/ogg', 'audio/ogg'],
])('drops the parameters of %s', (declared, bare) => {
  expect(bareType(declared)).toBe(bare)
})

test.each(Object.values(CONTENT_TYPES))('serves results as %s', (type) => {
  expect(servedType(type)).toBe(type)
})

test.each([
  ['video/x-msvideo', 'video/x-msvideo'],
  ['image/x-unknown', null],
  ['image/svg+xml', null],
  ['text/html', null],
  ['application/octet-stream', null],
  [undefined, null],
])('serves a file stored as %s with the type %s', (stored, served) => {
  expect(servedType(stored)).toBe(served)
})

test('accepts no type that browsers execute, whatever its kind', () => {
  const active = ['image/x-scene+xml', 'video/html', 'audio/x-foo+xml', 'text/html', 'image/javascript']
  expect(active.filter(isReadableType)).toEqual([])
})

test.each(ACCEPTED_TYPES)('messages offer %s, which is accepted', (type) => {
  expect(isReadableType(type.replace('*', 'mp4'))).toBe(true)
})
