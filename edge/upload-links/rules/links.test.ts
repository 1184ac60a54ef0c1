import { describe, expect, test } from 'vitest'
import { findUnsupportedType, judgeDeclared, judgeSeen, typesOf } from './links.ts'

const link = (...allowed_mime_types: string[]) => ({ allowed_mime_types, max_size_bytes: 1000 })

test.each([
  [['video/mp4', 'image/png'], ['video'], 'image/png'],
  [['VIDEO/MP4'], ['video'], undefined],
  [['audio/*'], ['video'], 'audio/*'],
  [['application/octet-stream', 'application/*'], ['video'], undefined],
  [['video/mp4', 'text/html'], ['video'], 'text/html'],
  [['text/*'], ['video', 'image'], 'text/*'],
  [['application/zip'], ['image'], 'application/zip'],
  [['image/svg+xml', 'image/x-scene+xml'], ['image'], 'image/x-scene+xml'],
  [['model/obj'], ['image'], 'model/obj'],
])('of %j an operation on %j cannot accept %s', (types, accepts, unsupported) => {
  expect(findUnsupportedType(types, accepts)).toBe(unsupported)
})

test('an operation accepts all types of its kinds', () => {
  expect(typesOf(['video', 'image'])).toEqual(['video/*', 'image/*'])
})

describe('a declared file', () => {
  test.each([
    [link('video/*'), 'video/mp4', 1000, null],
    [link('video/*'), 'Video/MP4; codecs="avc1"', 1, null],
    [link('video/mp4', 'image/png'), 'image/png', 1, null],
    [link('video/*'), 'video/mp4', 1001, 'file_too_large'],
    [link('video/*'), 'image/png', 1, 'file_type_not_allowed'],
    [link('video/mp4'), 'video/webm', 1, 'file_type_not_allowed'],
    [link('video/mp4'), 'video/mp4x', 1, 'file_type_not_allowed'],
    [link('video/*'), 'videos/mp4', 1, 'file_type_not_allowed'],
  ])('for the link %j of type %s with %i bytes: %s', (bounds, content_type, size_bytes, code) => {
    expect(judgeDeclared(bounds, { content_type, size_bytes })?.code ?? null).toBe(code)
  })

  test('is refused with the list of allowed types', () => {
    const allowed = ['video/*', 'image/png']
    expect(judgeDeclared(link(...allowed), { content_type: 'image/gif', size_bytes: 1 })).toEqual({
      code: 'file_type_not_allowed',
      facts: { content_type: 'image/gif', allowed },
    })
  })
})

describe('an uploaded file', () => {
  test.each([
    [['video/mp4'], 'video/mp4', 'video/mp4', null],
    [['video/mp4'], 'video/mp4', 'video/quicktime', null],
    [['video/mp4'], 'video/mp4', 'video/x-msvideo', 'file_type_not_allowed'],
    [['video/*'], 'video/mp4', 'video/x-msvideo', null],
    [['video/*'], 'video/mp4', null, null],
    [['video/*'], 'video/mp4', 'image/png', 'file_type_not_allowed'],
    [['application/octet-stream'], 'application/octet-stream', 'video/mp4', null],
    [['application/octet-stream'], 'application/octet-stream', 'image/png', 'file_type_not_allowed'],
    [['application/octet-stream'], 'application/octet-stream', 'text/plain', 'file_type_not_allowed'],
    [['application/octet-stream'], 'application/octet-stream', null, null],
    [['video/*'], 'video/mp4', 'text/plain', 'file_type_not_allowed'],
    [['video/*'], 'video/mp4', 'application/zip', 'file_type_not_allowed'],
    [['video/x-msvideo'], 'video/x-msvideo', 'video/vnd.avi', null],
    [['video/mpeg'], 'video/mpeg', 'video/MP1S', null],
  ])(
    'for a link of %j, declared as %s and detected as %s: %s',
    (allowed_mime_types, announced, seen, code) => {
      const refusal = judgeSeen({ allowed_mime_types, accepts: ['video'] }, announced, seen)
      expect(refusal?.code ?? null).toBe(code)
    },
  )
})
