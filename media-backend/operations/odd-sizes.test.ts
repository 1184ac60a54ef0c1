/** @module-tag extended */

import { describe, expect, test } from 'vitest'
import { makeClip, once, turnClip } from '../testing/clips.ts'
import { carryOut, inspect, type JobSpec } from '../testing/operate.ts'

const SOURCES = [
  ...['-f', 'lavfi', '-i', 'testsrc2=duration=1:size=64x64:rate=10', '-f', 'lavfi', '-i', 'sine=duration=1'],
  ...['-vf', 'scale=67:65,setsar=1'],
]

/** Codecs that allow odd frame sizes even though adjacent luma samples share one chroma sample. */
const CLIPS = {
  VP8: once(() => makeClip('odd-vp8.webm', [...SOURCES, '-c:v', 'libvpx', '-deadline', 'realtime'])),
  VP9: once(() => makeClip('odd-vp9.webm', [...SOURCES, '-c:v', 'libvpx-vp9', '-deadline', 'realtime'])),
  AV1: once(() => makeClip('odd-av1.mkv', [...SOURCES, '-c:v', 'libaom-av1', '-usage', 'realtime'])),
  'MPEG-2': once(() => makeClip('odd-mpeg2.ts', [...SOURCES, '-r', '25', '-c:v', 'mpeg2video'])),
  'rotated Motion JPEG': once(async () =>
    turnClip(await makeClip('odd-mjpeg.mov', [...SOURCES, '-c:v', 'mjpeg', '-pix_fmt', 'yuvj420p'])),
  ),
  /** Four adjacent luma samples share one chroma sample. */
  'rotated 4:1:1': once(async () =>
    turnClip(await makeClip('odd-411.mov', [...SOURCES, '-c:v', 'mjpeg', '-pix_fmt', 'yuvj411p'])),
  ),
}

const SUBTITLES = '1\n00:00:00,000 --> 00:00:01,000\nHi\n'

/** Operations that decode frames and keep their size. Encoders round odd sizes up to even ones. */
const SAME_SIZE: JobSpec[] = [
  ['compress', { crf: 28 }],
  ['convert', { format: 'mkv', vcodec: 'libx265' }],
  ['trim', { start: 0.3, duration: 0.5 }],
  ['speed', { factor: 2 }],
  ['rotate', { mode: '180' }],
  ['watermark', { text: 'Hi' }],
  ['subtitles', { subtitles_text: SUBTITLES }],
]

/** Operations that change the frame size. */
const OTHER_SIZE: [JobSpec, [width: number, height: number]][] = [
  [
    ['resize', { width: 66, height: 64, mode: 'pad' }],
    [66, 64],
  ],
  [
    ['circle', { diameter: 66 }],
    [66, 66],
  ],
  [
    ['blur_bg', { aspect: '1:1', resolution: 146 }],
    [146, 146],
  ],
  [
    ['cover', { title: 'Hi' }],
    [1280, 720],
  ],
]

const IMAGES: JobSpec[] = [['gif'], ['thumbnail', { at: 0.5 }], ['thumbnail', { smart: true }]]

/**
 * Every operation runs on an upright and on a rotated clip. The other clips differ from those only in their decoder,
 * so one operation of each kind is enough for them.
 */
const THOROUGH: readonly string[] = ['VP9', 'rotated 4:1:1'] satisfies (keyof typeof CLIPS)[]

describe.each(Object.entries(CLIPS))('%s with an odd frame size', (name, clip) => {
  const operationsFor = <Row>(rows: readonly Row[]) => (THOROUGH.includes(name) ? rows : rows.slice(0, 1))
  const sizeAfter = async (spec: JobSpec) => {
    const { path, input } = await carryOut(await clip(), spec)
    const { streams } = await inspect(path)
    return { input: [input.video.width, input.video.height], output: [streams[0]?.width, streams[0]?.height] }
  }

  test.each(operationsFor(SAME_SIZE))('%s %j encodes it with even sides', async (...spec) => {
    const { input, output } = await sizeAfter(spec)
    expect(input.map((side) => side % 2)).toEqual([1, 1])
    expect(output).toEqual(input.map((side) => side + 1))
  })

  test.each(operationsFor(OTHER_SIZE))('%j produces the requested size', async (spec, size) => {
    expect((await sizeAfter(spec)).output).toEqual(size)
  })

  test.each(operationsFor(IMAGES))('%s %j returns an image in the size of the frame', async (...spec) => {
    const { input, output } = await sizeAfter(spec)
    expect(output).toEqual(input)
  })
})
