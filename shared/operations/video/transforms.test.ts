import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DEVICE_KEYS } from '../../devices/devices.ts'
import { ffmpegRate } from '../../ffmpeg/video/frame-rate.ts'
import { cropToShape, fitInside } from '../../ffmpeg/video/frame-size.ts'
import type { MediaProbe } from '../../planning/facts.ts'
import type { Operation } from '../../planning/operation.ts'
import { sampleProbe } from '../../planning/sample-facts.ts'
import { validateParams } from '../../planning/validate.ts'
import { device_meta } from './device_meta.ts'
import { faststart } from './faststart.ts'
import { fps } from './fps.ts'
import { mute } from './mute.ts'
import { resize } from './resize.ts'
import { rotate } from './rotate.ts'
import { social } from './social.ts'
import { speed, tempos } from './speed.ts'
import { strip_metadata } from './strip_metadata.ts'

/** Returns the filter graph and options of the only run, on one line. */
function commandOf(
  operation: unknown,
  params: Record<string, unknown>,
  probe: MediaProbe = sampleProbe(),
): string {
  const { parameters, plan } = operation as Operation
  const made = plan({ params: parameters.parse(params), facts: { probe } as never })
  if ('refused' in made) return made.refused.message.en
  const step = made.steps.findLast(({ kind }) => kind === 'ffmpeg')
  if (step?.kind !== 'ffmpeg') throw new Error('it runs ffmpeg')
  return [made.encode_mode, step.filter_graph ?? '', ...step.output.options, step.output.file].join(' ')
}

const portrait = sampleProbe({}, { width: 1080, height: 1920, rotation_degrees: 90 })

describe('resize', () => {
  test.each([
    [{ width: 640 }, 'scale=640:360,setsar=1'],
    [{ height: 720 }, 'scale=1280:720,setsar=1'],
    [{ width: 100, height: 1000 }, 'scale=100:56,setsar=1'],
    // Encodes are capped at 1080p, regardless of the requested size.
    [{ width: 7680 }, 'scale=1920:1080,setsar=1'],
    [{ width: 333, height: 333, mode: 'pad' }, 'scale=334:188,setsar=1,pad=334:334:0:72:0x000000'],
    [
      { width: 1080, height: 1920, mode: 'pad', color: 'white' },
      'scale=1080:608,setsar=1,pad=1080:1920:0:656:0xffffff',
    ],
  ])('%j is %s', (params, filters) => {
    expect(commandOf(resize, params)).toContain(`]${filters}[`)
  })

  test('requires a size and a valid color', () => {
    expect(validateParams(resize as never, {})).toMatchObject({ refused: { field: 'width' } })
    expect(validateParams(resize as never, { width: 20, color: 'red,drawtext=x' })).toMatchObject({
      refused: { field: 'color' },
    })
  })
})

describe('social', () => {
  test.each([
    [
      { preset: 'square' },
      "crop='max(2,iw*0.562500)':'max(2,ih*1.000000)':(iw-ow)*0.5:(ih-oh)*0.5,scale=1080:1080,setsar=1",
    ],
    [
      { preset: 'vertical', focus_x: 0 },
      "crop='max(2,iw*0.316406)':'max(2,ih*1.000000)':(iw-ow)*0:(ih-oh)*0.5,scale=1080:1920,setsar=1",
    ],
    [
      { preset: 'vertical', focus_x: 1 },
      "crop='max(2,iw*0.316406)':'max(2,ih*1.000000)':(iw-ow)*1:(ih-oh)*0.5,scale=1080:1920,setsar=1",
    ],
    [{ preset: 'widescreen' }, 'scale=1920:1080,setsar=1'],
    [{ preset: 'square', mode: 'pad' }, 'scale=1080:608,setsar=1,pad=1080:1080:0:236:0x000000'],
  ])('%j is %s', (params, filters) => {
    expect(commandOf(social, params)).toContain(`]${filters}[`)
  })

  test('crops a portrait video', () => {
    expect(commandOf(social, { preset: 'widescreen', focus_y: 0.25 }, portrait)).toContain(
      "crop='max(2,iw*1.000000)':'max(2,ih*0.316406)':(iw-ow)*0.5:(ih-oh)*0.25,scale=1920:1080,setsar=1",
    )
  })
})

test('fits into boxes with even sides, and crops one side to their aspect ratio', () => {
  const side = fc.integer({ min: 1, max: 8000 })
  const evenSide = fc.integer({ min: 8, max: 2000 }).map((half) => 2 * half)
  fc.assert(
    fc.property(side, side, evenSide, evenSide, (width, height, box_width, box_height) => {
      const [video, box] = [
        { width, height },
        { width: box_width, height: box_height },
      ]
      const inside = fitInside(video, box)
      expect([inside.width % 2, inside.height % 2]).toEqual([0, 0])
      expect(inside.width <= box_width && inside.height <= box_height).toBe(true)
      const [crop = ''] = cropToShape(video, box)
      const [across = 1, down = 1] = [...crop.matchAll(/i[wh]\*([\d.]+)\)'/g)].map(([, share]) =>
        Number(share),
      )
      expect(Math.max(across, down)).toBe(1)
      const shape = (width * across) / (height * down) / (box_width / box_height)
      if (Math.min(across, down) > 0.01) expect(shape).toBeCloseTo(1, 3)
      expect(inside.width === box_width || inside.height === box_height).toBe(true)
    }),
    { seed: 1 },
  )
})

describe('rotate', () => {
  test.each([
    ['90cw', 'transpose=clock', '1080:1920'],
    ['90ccw', 'transpose=cclock', '1080:1920'],
    ['180', 'hflip,vflip', '1920:1080'],
  ])('%s', (mode, filter, size) => {
    const command = commandOf(rotate, { mode })
    expect(command).toContain(`]${filter}[`)
    expect(command).toContain(`scale=${size}:out_range=tv,setsar=1,format=yuv420p[video]`)
  })
})

describe('speed', () => {
  test.each([
    [2, 30, 'aresample=async=1:min_hard_comp=0.06:first_pts=0,aformat=sample_fmts=flt,atempo=2['],
    [4, 30, 'aresample=async=1:min_hard_comp=0.06:first_pts=0,aformat=sample_fmts=flt,atempo=2,atempo=2['],
    [0.5, 12.5, 'aresample=async=1:min_hard_comp=0.06:first_pts=0,aformat=sample_fmts=flt,atempo=0.5['],
    [
      0.1,
      2.5,
      'aresample=async=1:min_hard_comp=0.06:first_pts=0,aformat=sample_fmts=flt,atempo=0.562341325,atempo=0.562341325,atempo=0.562341325,atempo=0.562341325[',
    ],
    [1, 25, 'aresample=async=1:min_hard_comp=0.06:first_pts=0,aformat=sample_fmts=flt,atempo=1['],
  ])('at factor %d plays at %d frames per second', (factor, rate, tempo) => {
    const command = commandOf(speed, { factor })
    expect(command).toContain(`]settb=AVTB,setpts=PTS/${factor},fps=fps=${rate}:start_time=0[`)
    expect(command).toContain(`]${tempo}`)
  })

  test('splits a factor into tempo filters within their range', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.1, max: 10, noNaN: true }), (factor) => {
        const parts = tempos(factor).map(Number)
        for (const part of parts) expect(part >= 0.4999 && part <= 2.0001).toBe(true)
        expect(Math.abs(parts.reduce((product, part) => product * part, 1) / factor - 1)).toBeLessThan(1e-6)
      }),
      { seed: 1 },
    )
  })
})

test.each([
  [25, '25'],
  [29.97, '30000/1001'],
  [23.976, '24000/1001'],
  [59.94, '60000/1001'],
  [12.3456, '12.346'],
])('a frame rate of %d becomes %s', (rate, text) => {
  expect(ffmpegRate(rate)).toBe(text)
  expect(commandOf(fps, { fps: rate })).toContain(`]fps=fps=${text}:start_time=0[`)
})

describe('operations that remux', () => {
  test('mute maps no audio', () => {
    expect(commandOf(mute, {})).toBe(
      'remux  -map 0:0 -c:v copy -movflags +faststart -write_tmcd 0 -strict experimental muted.mp4',
    )
  })

  test.each([
    ['matroska,webm', 'h264', 'aac', 'faststart.mp4'],
    ['matroska,webm', 'vp9', 'opus', 'faststart.webm'],
    ['mov,mp4,m4a,3gp,3g2,mj2', 'prores', 'pcm_s16le', 'faststart.mov'],
    ['avi', 'wmv2', 'mp3', 'faststart.mkv'],
  ])('faststart of %s with %s and %s is %s', (container, codec, audio, file) => {
    const probe = sampleProbe({ container, audio: [{ index: 1, codec: audio, channels: 2 }] }, { codec })
    expect(commandOf(faststart, {}, probe)).toMatch(new RegExp(`^remux .* ${file}$`))
  })

  test('strip_metadata removes all metadata', () => {
    expect(commandOf(strip_metadata, {})).toContain('-map_metadata -1 -map_chapters -1 -fflags +bitexact')
    const subtitles = [{ index: 2, codec: 'mov_text' }]
    expect(commandOf(faststart, {}, sampleProbe({ subtitles }))).toContain('-map 0:2')
    expect(commandOf(strip_metadata, {}, sampleProbe({ subtitles }))).not.toContain('-map 0:2')
    expect(commandOf(device_meta, { preset: 'iphone_16_pro' }, sampleProbe({ subtitles }))).not.toContain(
      '-map 0:2',
    )
  })

  test('device_meta supports every device; Android devices have additional tags', () => {
    for (const preset of DEVICE_KEYS)
      expect(commandOf(device_meta, { preset })).toMatch(/^remux .*quicktime\.model=/)
    expect(commandOf(device_meta, { preset: 'google_pixel_9_pro' })).toContain(
      'com.android.manufacturer=Google',
    )
    expect(commandOf(device_meta, { preset: 'sony_a7_iv' })).not.toContain('com.android')
  })

  test.each([
    ['2025-06-07T08:09:10+02:00', '2025-06-07T06:09:10.000Z', '2025-06-07T08:09:10+02:00'],
    ['2025-06-07T08:09:10', '2025-06-07T08:09:10.000Z', '2025-06-07T08:09:10.000Z'],
  ])('writes the time %s', (creation_time, utc, local) => {
    const command = commandOf(device_meta, { preset: 'iphone', creation_time })
    expect(command).toContain(`creation_time=${utc} `)
    expect(command).toContain(`creationdate=${local} `)
  })

  test.each(['yesterday', '1500-01-01T00:00:00Z', '2025-06-07T08:09:10Z -f x'])(
    'refuses the time %s',
    (creation_time) => {
      expect(validateParams(device_meta as never, { preset: 'iphone', creation_time })).toMatchObject({
        refused: { field: 'creation_time' },
      })
    },
  )
})
