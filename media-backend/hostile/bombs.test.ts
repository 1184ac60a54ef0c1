/** @module-tag extended */

import { afterAll, beforeAll, expect, test } from 'vitest'
import { type JobAttempts, type JobSpec, startAttempts } from '../testing/attempt-jobs.ts'
import {
  deepBoxes,
  fastVideo,
  filteredSvg,
  gifOfFrames,
  hugeAvif,
  hugeBmp,
  hugeFrame,
  hugeGif,
  hugeJp2,
  hugeJpeg,
  hugePng,
  hugePsd,
  hugeSvg,
  hugeTags,
  hugeWebp,
  longVideo,
  manyChapters,
  manyTracks,
  nestedSvg,
  tiffOfPages,
} from '../testing/bombs.ts'

/** Decoding what these files declare would take minutes; refusing them takes well under a second. */
const REFUSED_MS_MAX = 10_000

let attempts: JobAttempts
beforeAll(async () => {
  attempts = await startAttempts()
})
afterAll(() => attempts.close())

const IMAGE: JobSpec = { service_slug: 'image', operation_key: 'resize', params: { width: 16 } }
const VIDEO: JobSpec = { service_slug: 'video', operation_key: 'compress', params: {} }

const STRIP: JobSpec = { service_slug: 'image', operation_key: 'strip_meta', params: {} }
const STRIP_PLACES: JobSpec = { ...STRIP, params: { metadata_mode: 'merge', strip_gps: true } }

const COMPLEX = /^The content has too much metadata or too many parts, such as pages, tracks or chapters\. /
const MEGAPIXELS = /^The image has more than 268 megapixels\. /
const CORRUPT = /^The image is truncated or corrupt\. /
const UNREADABLE = /^The file is not a readable video/

const BOMBS: [string, JobSpec, () => Buffer | Promise<Buffer>, RegExp][] = [
  ['a PNG of 60,000 pixels a side', IMAGE, () => hugePng(60_000, 60_000), MEGAPIXELS],
  ['a PNG of one extremely long row', IMAGE, () => hugePng(0x7fffffff, 1), CORRUPT],
  ['a GIF of 60,000 pixels a side', IMAGE, () => hugeGif(60_000, 60_000), MEGAPIXELS],
  ['a WebP of 60,000 pixels a side', IMAGE, () => hugeWebp(60_000), CORRUPT],
  ['an AVIF of 60,000 pixels a side', IMAGE, () => hugeAvif(60_000), MEGAPIXELS],
  ['a JPEG of 65,000 pixels a side', IMAGE, () => hugeJpeg(65_000), MEGAPIXELS],
  ['a PSD of 30,000 pixels a side', IMAGE, () => hugePsd(30_000), MEGAPIXELS],
  ['a PSD of 60,000 pixels a side', IMAGE, () => hugePsd(60_000), CORRUPT],
  ['a BMP of 60,000 pixels a side', IMAGE, () => hugeBmp(60_000), MEGAPIXELS],
  ['a JPEG 2000 of 60,000 pixels a side', IMAGE, () => hugeJp2(60_000), MEGAPIXELS],
  ['an SVG of 60,000 pixels a side', IMAGE, () => hugeSvg(60_000), MEGAPIXELS],
  [
    'a GIF of 100,000 frames',
    IMAGE,
    () => gifOfFrames(100_000),
    /^The animation has more than 5,000 frames\. /,
  ],
  ['a video of 100 megapixels', VIDEO, () => hugeFrame(10_000), /^The video is 10000 x 10000 pixels/],
  ['a video of a million frames a second', VIDEO, fastVideo, /^The video declares 1000000 frames per second/],
  [
    'a video of thirty years',
    VIDEO,
    () => longVideo(1e9),
    /^The video is 2777\d\d h (\d+ min )?(\d+ s )?long; the free tier allows/,
  ],
  ['a video of 300 tracks', VIDEO, () => manyTracks(300), /^The file has more than 256 tracks\. /],
  ['a video of 5,000 tracks', VIDEO, () => manyTracks(5000), UNREADABLE],
  ['a video of 2,000 chapters', VIDEO, () => manyChapters(2000), /^The file has more than 1000 chapters\. /],
  ['a video of 200,000 chapters', VIDEO, () => manyChapters(200_000), COMPLEX],
  ['a TIFF of 40,000 pages', STRIP, () => tiffOfPages(40_000), COMPLEX],
  ['a movie of 100,000 nested boxes', VIDEO, () => deepBoxes(100_000), UNREADABLE],
]

test.each(BOMBS)('refuses %s immediately', async (_name, spec, make, sentence) => {
  const input = await make()
  const start_ms = performance.now()
  const ending = await attempts.attempt(spec, { input })
  expect(ending).toMatchObject({ kind: 'failed', message: expect.stringMatching(sentence) })
  expect(performance.now() - start_ms).toBeLessThan(REFUSED_MS_MAX)
  expect(await attempts.leftovers()).toEqual([])
})

test.each([
  ['a square drawn a trillion times', () => nestedSvg(13)],
  ['endless filters', () => filteredSvg(8000)],
])('ends the drawing of an SVG of %s after seconds', { timeout: 180_000 }, async (_name, make) => {
  const ending = await attempts.attempt(IMAGE, { input: make() })
  expect(ending).toMatchObject({
    kind: 'failed',
    message: expect.stringMatching(/time limit|truncated or corrupt/),
  })
})

test('refuses a TIFF whose list of tags is too long', async () => {
  const ending = await attempts.attempt(STRIP_PLACES, { input: tiffOfPages(2900) })
  expect(ending).toMatchObject({ kind: 'failed', message: expect.stringMatching(COMPLEX) })
})

test('processes a video with 6 MB of tags normally', async () => {
  const ending = await attempts.attempt(VIDEO, { input: await hugeTags(6 * 1024 * 1024) })
  expect(ending.kind).toBe('done')
})
