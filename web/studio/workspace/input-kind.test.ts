import { expect, test } from 'vitest'
import { kindOfFile, parseLink } from './input-kind.ts'

test.each([
  ['photo.jpg', 'image/jpeg', 'image'],
  ['clip.mp4', 'video/mp4', 'video'],
  ['IMG_0001.HEIC', '', 'image'],
  ['clip.mkv', 'application/octet-stream', 'video'],
  ['song.mp3', 'audio/mpeg', null],
  ['notes', '', null],
  ['logo.svg', 'image/svg+xml', 'image'],
  ['IMG_0001.DNG', '', 'image'],
  ['drawing.xcf', 'image/x-xcf', null],
])('%s of type "%s" is %s', (name, type, kind) => {
  expect(kindOfFile({ name, type })).toBe(kind)
})

test.each([
  [' https://example.org/watch?v=1 ', 'https://example.org/watch?v=1'],
  ['http://example.org/clip', 'http://example.org/clip'],
  ['ftp://example.org/clip', null],
  ['not a link', null],
])('"%s" contains the link %s', (text, link) => {
  expect(parseLink(text)).toBe(link)
})
