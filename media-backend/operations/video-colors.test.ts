/** @module-tag extended */

import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { box, number32, replaceBoxes } from '../testing/boxes.ts'
import { makeClip } from '../testing/clips.ts'
import { describeImage } from '../testing/describe-image.ts'
import { decodeFrame } from '../testing/frames.ts'
import { carryOut, inspect, type JobSpec, operate } from '../testing/operate.ts'

type Color = [red: number, green: number, blue: number]

const ORANGE: Color = [200, 100, 50]
const TEN_BITS = ['-c:v', 'libx265', '-x265-params']

/** Makes a single-color clip, converted to the color space that its encoding options declare. */
function plainClip(
  name: string,
  size: string,
  encoding: readonly string[],
  conversion: string,
): Promise<Buffer> {
  const source = `color=0xc86432:size=${size}:rate=10:duration=1,format=gbrp`
  return makeClip(name, ['-f', 'lavfi', '-i', `${source},${conversion}`, ...encoding])
}

const CONVERSION = 'zscale=primariesin=bt709:transferin=bt709:matrixin=gbr:rangein=full'
/** SDR in BT.2020, as written by some cameras. */
const wide = (size = '320x180') =>
  plainClip(
    `wide-${size}.mp4`,
    size,
    [...TEN_BITS, 'log-level=error:colorprim=bt2020:transfer=bt2020-10:colormatrix=bt2020nc'],
    `${CONVERSION}:primaries=bt2020:transfer=bt709:matrix=bt2020nc:range=tv,format=yuv420p10le`,
  )
/** Like a Chrome recording: VP8 in BT.709, which only the container declares. */
const recording = () =>
  plainClip(
    'recording.webm',
    '320x180',
    [
      '-c:v',
      'libvpx',
      '-b:v',
      '2M',
      '-colorspace',
      'bt709',
      '-color_primaries',
      'bt709',
      '-color_trc',
      'bt709',
    ],
    `${CONVERSION}:primaries=bt709:transfer=bt709:matrix=bt709:range=tv,format=yuv420p,setparams=color_primaries=bt709:color_trc=bt709:colorspace=bt709`,
  )

async function colorOf(path: string): Promise<Color> {
  return (await decodeFrame(await readFile(path))).colorAt(100, 60)
}

function distance(one: Color, other: Color): number {
  return Math.max(...one.map((level, channel) => Math.abs(level - (other[channel] ?? 0))))
}

const SPECS: JobSpec[] = [
  ['compress', { crf: 28 }],
  ['resize', { width: 160, mode: 'pad' }],
  ['thumbnail', { at: 0, format: 'png' }],
  ['cover', { at: 0, format: 'png', fit: 'crop' }],
  ['gif', { duration: 1 }],
  ['watermark', { text: 'x', size: 3, position: 'br' }],
]

test.each(SPECS)('%s of BT.2020 SDR is converted to BT.709', async (...spec) => {
  const { path } = await carryOut(await wide(), spec as JobSpec)
  const color = await colorOf(path)
  expect(distance(color, ORANGE), `${color}`).toBeLessThanOrEqual(6)
  if (!path.endsWith('.mp4')) return
  expect((await inspect(path)).streams[0]).toMatchObject({ color_space: 'bt709', color_primaries: 'bt709' })
})

test('a pipeline converts a wide gamut once', async () => {
  const { path } = await carryOut(
    await wide(),
    ['rotate', { mode: '180' }],
    ['thumbnail', { at: 0, format: 'png' }],
  )
  expect(distance(await colorOf(path), ORANGE)).toBeLessThanOrEqual(6)
})

const HDR_TAGS = 'log-level=error:colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc'
const hdr = () =>
  plainClip(
    'hdr-odd.mp4',
    '322x182',
    [...TEN_BITS, HDR_TAGS],
    `${CONVERSION}:primaries=bt2020:transfer=smpte2084:matrix=bt2020nc:range=tv,format=yuv420p10le`,
  )

test.each([
  ['BT.2020 SDR', () => wide('322x182')],
  ['HDR', hdr],
])('a thumbnail of %s can have an odd size', async (_, make) => {
  const { path } = await carryOut(await make(), ['thumbnail', { at: 0, width: 161, format: 'png' }])
  expect(await describeImage(await readFile(path))).toMatchObject({ width: 161, height: 91 })
})

test.each(SPECS)('%s of VP8 uses the colors declared by its container', async (...spec) => {
  const { path } = await carryOut(await recording(), spec as JobSpec)
  const color = await colorOf(path)
  expect(distance(color, ORANGE), `${color}`).toBeLessThanOrEqual(6)
  if (!path.endsWith('.mp4')) return
  expect((await inspect(path)).streams[0]).toMatchObject({ color_space: 'bt709' })
})

test.each([
  ['10-bit', ['-pix_fmt', 'yuv420p10le'], 'encode'],
  ['4:4:4', ['-pix_fmt', 'yuv444p'], 'encode'],
  ['ordinary', ['-pix_fmt', 'yuv420p'], 'remux'],
] as const)(
  'converting %s H.264 for the web results in a pixel format that browsers play',
  async (name, format, mode) => {
    const source = ['-f', 'lavfi', '-i', 'testsrc2=duration=1:size=320x180:rate=10', '-c:v', 'libx264']
    const clip = await makeClip(`h264-${name}.mp4`, [...source, ...format])
    const params = { format: 'mp4', vcodec: 'libx264', acodec: 'aac' }
    const { plan, output } = await operate(clip, ['convert', params])
    expect([plan.encode_mode, output.video.pixel_format]).toEqual([mode, 'yuv420p'])
  },
)

test('a slow encode of 1080p stays within level 4.1', async () => {
  const source = ['-f', 'lavfi', '-i', 'testsrc2=duration=0.4:size=1920x1080:rate=30', '-c:v', 'libx264']
  const clip = await makeClip('full-hd.mp4', [...source, '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'])
  const { path } = await carryOut(clip, ['compress', { preset: 'slow', crf: 28 }])
  expect((await inspect(path)).streams[0]?.level).toBeLessThanOrEqual(41)
})

/** Makes a 360° video with the boxes of an equirectangular projection (Spherical Video V2). */
async function spherical(): Promise<Buffer> {
  const source = [
    '-f',
    'lavfi',
    '-i',
    'testsrc2=duration=2:size=320x160:rate=10',
    '-c:v',
    'libx264',
    '-g',
    '10',
  ]
  const flat = await makeClip('flat.mp4', [...source, '-pix_fmt', 'yuv420p'])
  const projection = box(
    'sv3d',
    box('svhd', number32(0), 'camera\0'),
    box('proj', box('prhd', number32(0, 0, 0, 0)), box('equi', number32(0, 0, 0, 0, 0))),
  )
  return replaceBoxes(flat, 'stsd', (body) => {
    const entry = body.subarray(8)
    return box('stsd', body.subarray(0, 8), box('avc1', entry.subarray(8), projection))
  })
}

test.each<JobSpec>([
  ['faststart'],
  ['mute'],
  ['strip_metadata'],
  ['trim', { start: 0, duration: 1, precise: false }],
  ['convert', { format: 'mkv' }],
])('%s of a 360° video keeps its projection', async (...spec) => {
  const source = await spherical()
  const { path } = await carryOut(source, spec as JobSpec)
  const [stream] = (await inspect(path)).streams
  expect(JSON.stringify(stream?.side_data_list)).toContain('equirectangular')
})

const transparent = (name: string, encoding: string[]) =>
  makeClip(name, [
    '-f',
    'lavfi',
    '-i',
    'color=red@0.5:duration=1:size=320x180:rate=10,format=yuva420p',
    ...encoding,
  ])
const vp9 = () =>
  transparent('alpha.webm', ['-c:v', 'libvpx-vp9', '-pix_fmt', 'yuva420p', '-auto-alt-ref', '0'])
const prores = () =>
  transparent('alpha.mov', ['-c:v', 'prores_ks', '-profile:v', '4444', '-pix_fmt', 'yuva444p10le'])

test.each<[string, () => Promise<Buffer>, JobSpec, boolean]>([
  ['VP9', vp9, ['compress', { crf: 28 }], true],
  ['VP9', vp9, ['thumbnail', { at: 0, format: 'png' }], true],
  ['VP9', vp9, ['faststart'], false],
  ['VP9', vp9, ['convert', { format: 'mp4' }], true],
  ['ProRes', prores, ['gif', { duration: 1 }], true],
  ['ProRes', prores, ['thumbnail', { at: 0, format: 'jpg' }], true],
  ['ProRes', prores, ['thumbnail', { at: 0, format: 'png' }], true],
  ['ProRes', prores, ['cover', { at: 0 }], true],
])('%s reports whether transparency is lost', async (_, make, spec, is_lost) => {
  const { plan } = await carryOut(await make(), spec)
  expect(plan.body?.alpha_dropped).toBe(is_lost ? true : undefined)
})

test.each<JobSpec>([['strip_metadata'], ['device_meta', { preset: 'iphone_15' }]])(
  '%s keeps the tag that makes players show the transparency of VP9',
  async (...spec) => {
    const { output, plan } = await operate(await vp9(), spec)
    expect(plan.encode_mode).toBe('remux')
    expect(output.video?.has_alpha).toBe(true)
  },
)
