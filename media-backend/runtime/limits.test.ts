import { expect, test } from 'vitest'
import { checkDeclared, checkFrames, type DeclaredProperties } from './limits.ts'

const video = { width: 1920, height: 1080, avg_frame_rate: 25 }
const declared = (more: Partial<DeclaredProperties>): DeclaredProperties => ({
  streams: [video],
  chapters: [],
  duration_seconds: 10,
  ...more,
})

test.each([
  ['an ordinary video', {}],
  ['8K', { streams: [{ ...video, width: 7680, height: 4320 }] }],
  ['an 8K video in portrait', { streams: [{ ...video, width: 4320, height: 7680 }] }],
  ['slow motion', { streams: [{ ...video, avg_frame_rate: 960 }] }],
  ['audio only', { streams: [{ width: 0, height: 0, avg_frame_rate: null }] }],
  [
    'a short video of one frame',
    { streams: [{ ...video, avg_frame_rate: 90_000 }], duration_seconds: 1 / 90_000 },
  ],
  ['an audiobook', { chapters: Array(400).fill({}) }],
  ['a movie with all its fonts and languages', { streams: Array(120).fill(video) }],
])('accepts %s', (_name, more) => {
  expect(() => checkDeclared(declared(more))).not.toThrow()
})

test.each([
  [
    'too many tracks',
    { streams: Array(257).fill(video) },
    'The file has more than 256 tracks. Remove some of them.',
  ],
  [
    'too many chapters',
    { chapters: Array(1001).fill({}) },
    'The file has more than 1000 chapters. Remove some of them.',
  ],
  [
    'a frame that is too large in any track',
    { streams: [video, { ...video, width: 16_000, height: 16_000 }] },
    'The video is 16000 x 16000 pixels; the maximum is 37 megapixels. Use a smaller resolution.',
  ],
  [
    'a frame rate that is too high',
    { streams: [{ ...video, avg_frame_rate: 1_000_000 }] },
    'The video declares 1000000 frames per second; the maximum is 1000. Use a lower frame rate.',
  ],
])('refuses %s', (_name, more, sentence) => {
  expect(() => checkDeclared(declared(more))).toThrow(sentence)
})

test('limits the number of frames of an animation', () => {
  expect(() => checkFrames({ pages: 5000 })).not.toThrow()
  expect(() => checkFrames({ pages: 5001 })).toThrow('The animation has more than 5,000 frames.')
})
