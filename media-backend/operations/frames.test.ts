import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { makeClip } from '../testing/clips.ts'
import { describeImage } from '../testing/describe-image.ts'
import { decodeFrame } from '../testing/frames.ts'
import { carryOut, type JobSpec } from '../testing/operate.ts'

const X264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p']

/** Makes a black video that turns red for the last 1.2 s, so the color of a frame reveals its timestamp. */
const stream = (container: 'ts' | 'mpg' | 'flv', seconds: number, ...encoder: string[]) =>
  makeClip(`late-${seconds}.${container}`, [
    ...['-f', 'lavfi', '-i', `color=black:duration=${seconds}:size=320x180:rate=25`],
    ...['-vf', `drawbox=color=red:t=fill:enable='gte(t,${seconds - 1.2})'`, ...encoder],
  ])

async function colorOf(content: Buffer, spec: JobSpec): Promise<[number, number, number]> {
  const { path } = await carryOut(content, spec)
  return (await decodeFrame(await readFile(path))).colorAt(160, 90)
}

describe('extracts a frame at every timestamp of a video without an index', { tags: ['extended'] }, () => {
  test.each<[string, number, () => Promise<Buffer>]>([
    ['MPEG-TS', 10, () => stream('ts', 10, ...X264)],
    // A seek to half a minute before a late timestamp finds no further keyframe.
    [
      'MPEG-TS of one long group of pictures',
      45,
      () => stream('ts', 45, ...X264, '-g', '5000', '-keyint_min', '5000'),
    ],
    ['MPEG-PS', 10, () => stream('mpg', 10, '-c:v', 'mpeg2video', '-q:v', '4')],
    [
      'MPEG-TS of one group of pictures',
      8,
      () => stream('ts', 8, ...X264, '-g', '1000', '-keyint_min', '1000'),
    ],
    ['Flash', 10, () => stream('flv', 10, ...X264)],
  ])('%s', async (_, end, make) => {
    const content = await make()
    for (const at of [end - 1, end - 0.4]) {
      const [red] = await colorOf(content, ['thumbnail', { at, format: 'png' }])
      expect(red).toBeGreaterThan(150)
    }
    const [early] = await colorOf(content, ['thumbnail', { format: 'png' }])
    expect(early).toBeLessThan(30)
    for (const params of [{ smart: true }, { smart: true, at: end - 0.4 }]) {
      await colorOf(content, ['thumbnail', params])
    }
    await colorOf(content, ['cover', { title: 'Here' }])
  })
})

test.each(['avi', 'mp4'])(
  'a time base as coarse as a frame duration selects the frame at the timestamp (%s)',
  async (container) => {
    const content = await makeClip(`coarse.${container}`, [
      ...['-f', 'lavfi', '-i', 'color=black:duration=2:size=320x180:rate=25'],
      ...['-vf', "drawbox=color=red:t=fill:enable='gte(n,25)'", '-c:v', 'mpeg4', '-q:v', '2'],
      ...(container === 'mp4' ? ['-video_track_timescale', '25'] : []),
    ])
    const redAt = async (at: number) => (await colorOf(content, ['thumbnail', { at, format: 'png' }]))[0]
    expect(await redAt(0)).toBeLessThan(30)
    expect(await redAt(0.96)).toBeLessThan(30)
    expect(await redAt(1)).toBeGreaterThan(150)
    expect((await colorOf(content, ['cover', { at: 1 }]))[0]).toBeGreaterThan(150)
  },
)

describe('a thumbnail shows the last frame that starts at or before its timestamp', () => {
  // The frames start at 0, 1, 2, 3 and 4 s and are identified by their brightness.
  const slides = (start_seconds: number) => [
    ...[
      '-itsoffset',
      String(start_seconds),
      '-f',
      'lavfi',
      '-i',
      'color=black:duration=5:size=320x180:rate=1',
    ],
    ...['-f', 'lavfi', '-i', `sine=duration=${start_seconds + 5}`],
    ...['-vf', "format=yuv420p,geq=lum='40+40*N':cb=128:cr=128", ...X264, '-g', '3', '-bf', '0'],
  ]
  test.each([
    ['an MP4', 'slides.mp4', 0, [0, 0.9, 1, 2.99, 3, 4.2, 5], [0, 0, 1, 2, 3, 4, 4]],
    ['a Matroska file', 'slides.mkv', 0, [0.9, 1.1, 2.9, 3.1, 4.2], [0, 1, 2, 3, 4]],
    ['an MPEG-TS', 'slides.ts', 0, [0.5, 1.2, 2.8, 4.2], [0, 1, 2, 4]],
    ['a video that starts late', 'late.mkv', 2, [0, 1, 2.5, 6.5], [0, 0, 0, 4]],
  ] as const)('%s', async (_, name, start_seconds, timestamps, frames) => {
    const content = await makeClip(name, slides(start_seconds))
    const shown: number[] = []
    for (const at of timestamps) {
      const [level] = await colorOf(content, ['thumbnail', { at, format: 'png' }])
      shown.push(Math.floor(level / (40 * 1.164)))
    }
    expect(shown).toEqual(frames)
  })
})

test('ignores frames that a decoder outputs before its first keyframe', async () => {
  const x265 = ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=none:keyint=1000']
  const content = await stream('ts', 9, ...x265)
  const [red, green, blue] = await colorOf(content, ['thumbnail', { at: 7, format: 'png' }])
  expect(Math.max(red, green, blue)).toBeLessThan(30)
})

test('shows HD video without color tags in the colors of players', async () => {
  const untagged = await makeClip('untagged.mp4', [
    ...['-f', 'lavfi', '-i', 'color=0x00c000:duration=1:size=1280x720:rate=10'],
    ...['-vf', 'scale=out_color_matrix=bt709,format=yuv420p,setparams=colorspace=unknown', ...X264],
  ])
  for (const spec of [
    ['thumbnail', { format: 'png', width: 320 }],
    ['thumbnail', { format: 'jpg', width: 320 }],
    ['cover', { format: 'png' }],
    ['gif', { width: 320 }],
  ] as JobSpec[]) {
    const [red, green, blue] = await colorOf(untagged, spec)
    expect(red).toBeLessThan(14)
    expect(Math.abs(green - 192)).toBeLessThan(12)
    expect(blue).toBeLessThan(14)
  }
})

test.each(['crop', 'blur'])(
  'fills a cover from a thin strip without a huge intermediate frame (%s)',
  async (fit) => {
    const strip = await makeClip('strip.mp4', [
      ...['-f', 'lavfi', '-i', 'color=0x0000c0:duration=1:size=16x1600:rate=10', ...X264],
    ])
    const start_ms = performance.now()
    const { path } = await carryOut(strip, ['cover', { fit }])
    expect(performance.now() - start_ms).toBeLessThan(10_000)
    expect(await describeImage(await readFile(path))).toMatchObject({ width: 1280, height: 720 })
  },
)
