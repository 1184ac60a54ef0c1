/** @module-tag extended */

import { readFile } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { box, number32, replaceBoxes } from '../testing/boxes.ts'
import { makeClip, once } from '../testing/clips.ts'
import { withFile } from '../testing/describe-image.ts'
import { carryOut } from '../testing/operate.ts'
import { operateImage } from '../testing/operate-image.ts'

const SOURCE = ['-f', 'lavfi', '-i', 'testsrc2=s=128x96:r=10:d=0.5']
const AV1 = ['-c:v', 'libaom-av1', '-cpu-used', '8', '-pix_fmt', 'yuv420p']

/** Animations with five frames of 100 ms each. */
const animations = {
  avif: once(() => makeClip('five.avif', [...SOURCE, ...AV1])),
  png: once(() => makeClip('five.png', [...SOURCE, '-plays', '3', '-f', 'apng'])),
}
/** An animation of three red frames whose left half is transparent. */
const clear = once(() =>
  makeClip('clear.avif', [
    ...['-f', 'lavfi', '-i', 'color=red:s=64x64:r=10:d=0.3'],
    ...[
      '-filter_complex',
      "[0]format=yuva420p,geq=lum='p(X,Y)':cb='p(X,Y)':cr='p(X,Y)':a='255*gt(X,31)',split[c][s];[s]alphaextract[a]",
    ],
    ...['-map', '[c]', '-map', '[a]', '-c:v', 'libaom-av1', '-cpu-used', '8', '-pix_fmt:0', 'yuv420p'],
  ]),
)

const metadataOf = (content: Buffer) => withFile(content, (path) => sharp(path, { pages: -1 }).metadata())

test.each(['avif', 'png'] as const)(
  'an animated %s keeps its frames and their durations as WebP',
  async (format) => {
    const { content } = await operateImage(await animations[format](), [['convert', { format: 'webp' }]])
    expect(await metadataOf(content)).toMatchObject({
      ...{ width: 128, pageHeight: 96, pages: 5, delay: [100, 100, 100, 100, 100] },
      loop: format === 'png' ? 3 : 0,
    })
  },
)

test.each(['avif', 'png'] as const)('other formats get the first frame of an animated %s', async (format) => {
  const input = await animations[format]()
  for (const output of ['jpeg', 'png', 'avif'] as const) {
    const { content, facts } = await operateImage(input, [['convert', { format: output }]])
    expect(facts).toMatchObject({ format: output, width: 128, height: 96, pages: 1 })
    expect((await metadataOf(content)).pages ?? 1).toBe(1)
  }
})

test('edits all frames of an animated AVIF', async () => {
  const { content } = await operateImage(await animations.avif(), [
    ['resize', { width: 64 }],
    ['enhance', { blur: 1 }],
    ['convert', { format: 'webp' }],
  ])
  expect(await metadataOf(content)).toMatchObject({ width: 64, pageHeight: 48, pages: 5 })
})

test('keeps the transparency of an animated AVIF', async () => {
  const { content } = await operateImage(await clear(), [['convert', { format: 'webp' }]])
  const { data, info } = await withFile(content, (path) =>
    sharp(path).ensureAlpha().raw().toBuffer({ resolveWithObject: true }),
  )
  const alphaAt = (x: number) => data[(10 * info.width + x) * 4 + 3]
  expect([alphaAt(8), alphaAt(56)]).toEqual([0, 255])
})

test.each(['avif', 'png'] as const)('refuses a truncated animation in %s', async (format) => {
  const whole = await animations[format]()
  const input = whole.subarray(0, Math.floor(whole.length * 0.8))
  await expect(operateImage(input, [['convert', { format: 'webp' }]])).rejects.toMatchObject({
    error_code: 'input_unreadable',
  })
})

test('changes metadata of an animated PNG, but refuses it for an animated AVIF', async () => {
  await expect(operateImage(await animations.avif(), [['strip_meta']])).rejects.toThrow(/animated AVIF/)
  const { content } = await operateImage(await animations.png(), [['strip_meta']])
  expect(content.includes('acTL')).toBe(true)
})

/** Durations of four frames of 100 x 76 pixels, in milliseconds. */
const TIMES = [40, 80, 120, 500]
const STARTS = 'settb=1/1000,setpts=if(eq(N\\,0)\\,0\\,if(eq(N\\,1)\\,40\\,if(eq(N\\,2)\\,120\\,240)))'
const UNEVEN = ['-f', 'lavfi', '-i', 'testsrc2=s=100x76:r=1:d=4', '-vf', STARTS]
const BY_TIME = ['-fps_mode', 'passthrough', '-enc_time_base', '1:1000']
const uneven = {
  png: once(() => makeClip('uneven.png', [...UNEVEN, ...BY_TIME, '-final_delay', '1/2', '-f', 'apng'])),
  avif: once(() => makeClip('uneven.avif', [...UNEVEN, ...BY_TIME, ...AV1])),
}

test.each(['png', 'avif'] as const)(
  'an animated %s keeps its frame durations at any frame size',
  async (format) => {
    const { content } = await operateImage(await uneven[format](), [['convert', { format: 'webp' }]])
    const { pages, delay = [], width } = await metadataOf(content)
    // The duration of an AVIF's last frame depends on the version of ffmpeg.
    const known = format === 'png' ? TIMES : TIMES.slice(0, 3)
    expect([pages, width, delay.slice(0, known.length)]).toEqual([4, 100, known])
  },
)

test('an animation of 75 ms per frame keeps its total duration as GIF', async () => {
  const input = await makeClip('75.png', [
    ...['-f', 'lavfi', '-i', 'testsrc2=s=64x64:r=1000/75:d=1.5', '-final_delay', '75/1000', '-f', 'apng'],
  ])
  const { content } = await operateImage(input, [['social', { width: 64, height: 64 }]])
  const { format, delay = [] } = await metadataOf(content)
  const duration_ms = delay.reduce((sum, ms) => sum + ms, 0)
  expect([format, delay.length]).toEqual(['gif', 20])
  expect(Math.abs(duration_ms - 1500)).toBeLessThanOrEqual(10)
})

/** Inserts text and EXIF chunks between a frame's control chunk and its pixels, as exiftool does. */
function withText(file: Buffer): Buffer {
  const at = file.indexOf('IDAT') - 4
  const orientation = '4d4d002a0000000800010112000300000001000600000000'
  const bodies = [
    Buffer.from('tEXtComment\0here'),
    Buffer.from(`${Buffer.from('eXIf').toString('hex')}${orientation}`, 'hex'),
  ]
  return Buffer.concat([file.subarray(0, at), ...bodies.map(chunk), file.subarray(at)])
}

function chunk(body: Buffer): Buffer {
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(body.length - 4)
  checksum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, checksum])
}

test('accepts text between the chunks of an animated PNG, but no truncation', async () => {
  const input = await animations.png()
  const { content } = await operateImage(withText(input), [['convert', { format: 'webp' }]])
  expect((await metadataOf(content)).pages).toBe(5)
  const truncated = input.subarray(0, Math.floor(input.length * 0.7))
  await expect(operateImage(truncated, [['convert', { format: 'webp' }]])).rejects.toMatchObject({
    error_code: 'input_unreadable',
  })
})

test('plays an animated PNG with zero delays at ten frames per second, as browsers do', async () => {
  const input = Buffer.from(await animations.png())
  for (let at = input.indexOf('fcTL'); at > 0; at = input.indexOf('fcTL', at + 1)) {
    input.writeUInt16BE(0, at + 24)
    input.writeUInt32BE(crc32(input.subarray(at, at + 30)), at + 30)
  }
  const { content } = await operateImage(input, [['convert', { format: 'webp' }]])
  expect((await metadataOf(content)).delay).toEqual([100, 100, 100, 100, 100])
})

/**
 * Makes an animated AVIF with one edit, which repeats until the track ends.
 * @param plays number of times the edit fits into the track, or null if it does not repeat.
 */
async function looped(plays: number | null): Promise<Buffer> {
  const file = await animations.avif()
  // Half a second in the time units of the movie header.
  const units = file.readUInt32BE(file.indexOf('mvhd') + 16) / 2
  const track_units = plays === Number.POSITIVE_INFINITY ? 0xffffffff : Math.ceil((plays ?? 1) * units)
  const edits = box('edts', box('elst', number32(plays === null ? 0 : 1, 1, units, 0, 0x10000)))
  const header = Buffer.concat([number32(3, 0, 0, 1, 0, track_units), Buffer.alloc(60)])
  const bare = replaceBoxes(file, 'edts', () => Buffer.alloc(0))
  const edited = replaceBoxes(bare, 'tkhd', () => Buffer.concat([box('tkhd', header), edits]))
  const shift = edited.length - file.length
  return replaceBoxes(edited, 'stco', (body) => {
    const offsets = Array.from({ length: body.readUInt32BE(4) }, (_, index) =>
      body.readUInt32BE(8 + 4 * index),
    )
    return box('stco', body.subarray(0, 8), number32(...offsets.map((offset) => offset + shift)))
  })
}

test.each([
  ['once if its edit list does not repeat', null, 1],
  ['three times if the track is three edits long', 3, 3],
  ['as often as its edit starts, even if the last one is incomplete', 2.1, 3],
  ['forever if its track has no end', Number.POSITIVE_INFINITY, 0],
  ['forever if it repeats more often than WebP can count', 70_000, 0],
])('an animated AVIF plays %s', async (_how, plays, loop) => {
  const { content } = await operateImage(await looped(plays), [['convert', { format: 'webp' }]])
  expect(await metadataOf(content)).toMatchObject({ pages: 5, loop })
})

/** Makes an animation or video of an orange frame in wide primaries, as SDR or HDR. */
function wideClip(name: string, transfer: string, encoding: readonly string[]): Promise<Buffer> {
  const source = 'color=0xc86432:size=64x64:rate=10:duration=0.3,format=gbrp'
  const conversion = `zscale=primariesin=bt709:transferin=bt709:matrixin=gbr:rangein=full:primaries=bt2020:transfer=${transfer}:matrix=bt2020nc:range=tv,format=yuv420p10le`
  return makeClip(name, ['-f', 'lavfi', '-i', `${source},${conversion}`, ...encoding])
}

test.each([
  ['bt709', 'bt2020-10'],
  ['smpte2084', 'smpte2084'],
  ['arib-std-b67', 'arib-std-b67'],
])('an animated AVIF has the same colors as a video, transfer %s', async (transfer, tag) => {
  const tags = ['-color_primaries', 'bt2020', '-color_trc', tag, '-colorspace', 'bt2020nc']
  const av1 = ['-c:v', 'libaom-av1', '-cpu-used', '8', '-crf', '5']
  const [animation, video] = await Promise.all([
    wideClip(`wide-${transfer}.avif`, transfer, [...av1, ...tags]),
    wideClip(`wide-${transfer}.mkv`, transfer, [...av1, ...tags]),
  ])
  const { content } = await operateImage(animation, [['convert', { format: 'webp' }]])
  const { path } = await carryOut(video, ['thumbnail', { at: 0, format: 'png' }])
  const colorOf = (image: Buffer) =>
    withFile(image, async (file) => [
      ...(await sharp(file)
        .extract({ left: 30, top: 30, width: 1, height: 1 })
        .removeAlpha()
        .raw()
        .toBuffer()),
    ])
  const [one, other] = [await colorOf(content), await colorOf(await readFile(path))]
  for (const [channel, level] of one.entries())
    expect(Math.abs(level - (other[channel] ?? -99))).toBeLessThan(6)
})
