import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeClip, once, turnClip, video } from '../testing/clips.ts'
import { withFile } from '../testing/describe-image.ts'
import {
  carryOut,
  frameLevels,
  type Inspected,
  inspect,
  type JobSpec,
  operate,
  type Packets,
  readPackets,
  reportedAfter,
} from '../testing/operate.ts'

const execute = promisify(execFile)

const videoInput = (size = '160x90', seconds = 1) => [
  ...['-f', 'lavfi', '-i', `testsrc2=duration=${seconds}:size=${size}:rate=25`],
]
const tone = (seconds = 1) => ['-f', 'lavfi', '-i', `sine=frequency=440:duration=${seconds}`]
const FAST = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p']
/** Tags both the frames and the file: newer versions of ffmpeg use those of the frames only. */
const hdr = (transfer: string) => [
  ...['-vf', `format=yuv420p10le,setparams=color_primaries=bt2020:color_trc=${transfer}:colorspace=bt2020nc`],
  ...['-c:v', 'libx265', '-x265-params', 'log-level=error'],
  ...['-color_primaries', 'bt2020', '-color_trc', transfer, '-colorspace', 'bt2020nc'],
]

const small = () => video(2, '160x90')

async function videoOf(path: string) {
  const { streams } = await inspect(path)
  const found = streams.find(({ codec_type }) => codec_type === 'video')
  if (found === undefined) throw new Error('no video stream')
  return found
}

describe('operations that only move packets keep them unchanged', () => {
  let turned: Buffer
  let packets: Packets
  beforeAll(async () => {
    const plain = await makeClip('two-tracks.mp4', [
      ...[...videoInput(), ...tone(), ...tone(), '-map', '0', '-map', '1', '-map', '2', ...FAST],
      ...['-metadata', 'title=Secret', '-metadata', 'location=+52.5+013.4/'],
      ...['-metadata', 'creation_time=2024-01-02T03:04:05Z', '-metadata:s:a:0', 'language=deu'],
    ])
    turned = await turnClip(plain)
    packets = await withFile(turned, (path) => readPackets(path))
    expect(Math.min(packets.v.length, packets.a.length)).toBeGreaterThan(20)
  })

  const specs: JobSpec[] = [
    ['faststart'],
    ['mute'],
    ['strip_metadata'],
    ['device_meta', { preset: 'iphone_16_pro' }],
    ['convert', { format: 'mov' }],
    ['convert', { format: 'mp4', vcodec: 'libx264', acodec: 'aac' }],
  ]
  test.each(specs)('%s %j', async (...spec) => {
    const { plan, path, input, output } = await operate(turned, spec)
    expect(plan.encode_mode).toBe('remux')
    const is_mute = spec[0] === 'mute'
    expect(await readPackets(path)).toEqual(is_mute ? { ...packets, a: [] } : packets)
    expect(output.audio).toHaveLength(is_mute ? 0 : 2)
    const { rotation_degrees } = input.video
    expect(rotation_degrees).not.toBe(0)
    expect(output.video).toMatchObject({ width: 90, height: 160, rotation_degrees })
  })

  test('strip_metadata removes place, time, title, language and program', async () => {
    const { path } = await carryOut(turned, ['strip_metadata'])
    const { stdout } = await execute('exiftool', ['-a', '-G1', '-s', path])
    expect(stdout).not.toMatch(/Secret|GPS|52\.5|Lavf|Lavc|2024:01|deu/)
    const { format, chapters } = await inspect(path)
    expect(Object.keys(format.tags ?? {})).not.toContain('creation_time')
    expect(chapters).toEqual([])
  })

  test('exiftool reads the result of device_meta', async () => {
    const spec: JobSpec = [
      'device_meta',
      { preset: 'iphone_16_pro', creation_time: '2025-06-07T08:09:10+02:00' },
    ]
    const { path } = await carryOut(turned, spec)
    const { stdout } = await execute('exiftool', ['-json', '-api', 'QuickTimeUTC=0', path])
    const [tags] = JSON.parse(stdout) as Record<string, string>[]
    expect(tags).toMatchObject({
      Make: 'Apple',
      Model: 'iPhone 16 Pro',
      CreateDate: '2025:06:07 06:09:10',
      CreationDate: '2025:06:07 08:09:10+02:00',
    })
    expect(tags?.Software).toMatch(/^\d+\.\d/)
    expect(JSON.stringify(tags)).not.toMatch(/Secret|Lavf|MajorBrand.*MajorBrand|52 deg/)
  })

  test('encodes a rotated clip upright for Matroska, which has no rotation', async () => {
    const { plan, output } = await operate(turned, ['convert', { format: 'mkv' }])
    expect(plan.encode_mode).toBe('audio_copy')
    expect(output.video).toMatchObject({ width: 90, height: 160, rotation_degrees: 0 })
  })
})

describe('convert', () => {
  test.each([
    [{ format: 'webm' }, 'encode', 'vp9', 'opus'],
    [{ format: 'mkv', acodec: 'libmp3lame' }, 'video_copy', 'h264', 'mp3'],
    [{ format: 'mp4', vcodec: 'libx265' }, 'audio_copy', 'hevc', 'aac'],
    [{ format: 'mov', vcodec: 'copy', acodec: 'copy' }, 'remux', 'h264', 'aac'],
    [{ format: 'mp4', vcodec: 'libvpx-vp9', acodec: 'libopus' }, 'encode', 'vp9', 'opus'],
  ])('%j: %s', async (params, mode, vcodec, acodec) => {
    const { plan, output, path } = await operate(await small(), ['convert', params])
    expect(plan.encode_mode).toBe(mode)
    expect([output.video.codec, output.audio[0]?.codec]).toEqual([vcodec, acodec])
    expect(output.duration_seconds).toBeCloseTo(2, 1)
    if (vcodec === 'hevc') expect((await videoOf(path)).codec_tag_string).toBe('hvc1')
  })

  test('a browser recording becomes an MP4 by its audio alone if VP9 is accepted', async () => {
    const args = [
      ...videoInput(),
      ...tone(),
      '-c:v',
      'libvpx-vp9',
      '-deadline',
      'realtime',
      '-c:a',
      'libvorbis',
    ]
    const { plan, output } = await operate(await makeClip('browser.webm', args), ['convert'])
    expect(plan.encode_mode).toBe('video_copy')
    expect([output.video.codec, output.audio[0]?.codec]).toEqual(['vp9', 'aac'])
  })
})

test('keeps subtitles and audio languages', async () => {
  const text = '1\n00:00:00,300 --> 00:00:00,800\nHello\n'
  const clip = await withFile(text, (path) =>
    makeClip('subtitled.mkv', [
      ...[
        ...videoInput(),
        ...tone(),
        ...tone(),
        '-f',
        'srt',
        '-i',
        path,
        '-map',
        '0',
        '-map',
        '1',
        '-map',
        '2',
      ],
      ...['-map', '3', ...FAST, '-c:a', 'aac', '-c:s', 'srt'],
      ...['-metadata:s:a:0', 'language=deu', '-metadata:s:a:1', 'language=fra'],
    ]),
  )
  const languages = ({ streams }: Inspected) =>
    streams.filter(({ codec_type }) => codec_type === 'audio').map(({ tags }) => tags?.language)
  const { plan, path } = await carryOut(clip, ['convert', { format: 'mp4' }])
  expect(plan.encode_mode).toBe('remux')
  const converted = await inspect(path)
  const subtitles = converted.streams.filter(({ codec_type }) => codec_type === 'subtitle')
  expect(subtitles).toMatchObject([{ codec_name: 'mov_text' }])
  expect(languages(converted)).toEqual(['deu', 'fra'])
  const flipped = await carryOut(clip, ['flip'])
  expect(languages(await inspect(flipped.path))).toEqual(['deu', 'fra'])
  const bare = await carryOut(clip, ['flip'], ['strip_metadata'])
  expect(languages(await inspect(bare.path))).toEqual(['und', 'und'])
})

test('progress goes from 0 to 1 and never decreases', async () => {
  const { percents } = await carryOut(await video(8), ['compress', { preset: 'slow' }])
  expect(percents.at(-1)).toBe(100)
  expect(percents).toEqual([...percents].sort((one, other) => one - other))
})

describe('sizes and shapes', () => {
  test.each([
    [['resize', { width: 160 }], 160, 90],
    [['resize', { width: 100, height: 100 }], 100, 56],
    [['resize', { width: 200, height: 200, mode: 'pad', color: '#ff0000' }], 200, 200],
    [['social', { preset: 'square' }], 1080, 1080],
    [['social', { preset: 'vertical', mode: 'pad' }], 1080, 1920],
    [['rotate', { mode: '90cw' }], 180, 320],
    [['rotate', { mode: '180' }], 320, 180],
    [['flip', { axis: 'v' }], 320, 180],
  ] as [JobSpec, number, number][])('%j is %i x %i', async (spec, width, height) => {
    const { plan, path } = await carryOut(await video(0.4), spec)
    expect(plan.encode_mode).toBe('encode')
    const shown = await videoOf(path)
    expect(shown).toMatchObject({ width, height, codec_name: 'h264', pix_fmt: 'yuv420p' })
    expect(shown).toMatchObject({ sample_aspect_ratio: '1:1', color_space: expect.any(String) })
    expect(Number(shown.duration)).toBeCloseTo(0.4, 1)
  })
})

describe('time', () => {
  test.each([
    [0.5, 4, 12.5],
    [10, 0.2, 30],
    [0.7, 2 / 0.7, 17.5],
  ])('speed %d makes %d s at %d frames per second, in video and audio', async (factor, seconds, rate) => {
    const { path } = await carryOut(await small(), ['speed', { factor }])
    const { streams } = await inspect(path)
    expect(streams.map(({ codec_type }) => codec_type)).toEqual(['video', 'audio'])
    const [frames = 0, each = 1] = String(streams[0]?.avg_frame_rate).split('/').map(Number)
    expect(frames / each).toBeCloseTo(rate, 0)
    for (const { duration } of streams) expect(Math.abs(Number(duration) - seconds)).toBeLessThan(0.12)
  })

  test.each([1, 29.97, 60])('fps %d', async (fps) => {
    const { output, path } = await operate(await small(), ['fps', { fps }])
    expect(output.video.frames_per_second).toBeCloseTo(fps, 2)
    expect(output.duration_seconds).toBeCloseTo(2, 1)
    expect(await frameLevels(path)).toHaveLength(Math.round(2 * fps))
  })
})

describe('unusual videos', () => {
  const wild: [name: string, args: string[], expected: Record<string, unknown>][] = [
    [
      'odd.mkv',
      [...videoInput(), ...tone(), '-vf', 'format=yuv444p,scale=161:91', '-c:v', 'ffv1'],
      { width: 162, height: 92 },
    ],
    ['silent.avi', [...videoInput(), '-c:v', 'mpeg4'], { width: 160, height: 90 }],
    [
      'tenbit.mp4',
      [...videoInput(), '-c:v', 'libx265', '-pix_fmt', 'yuv420p10le', '-x265-params', 'log-level=error'],
      {},
    ],
    [
      'hdr.mp4',
      [...videoInput(), ...hdr('smpte2084')],
      { color_transfer: 'bt709', color_space: 'bt709', color_primaries: 'bt709', color_range: 'tv' },
    ],
    [
      'full.mp4',
      [
        ...videoInput(),
        '-vf',
        'scale=out_range=pc,format=yuvj420p',
        '-c:v',
        'libx264',
        '-preset',
        'ultrafast',
      ],
      { color_range: 'tv' },
    ],
    ['rgb.mkv', [...videoInput(), '-c:v', 'libx264rgb', '-preset', 'ultrafast'], { color_space: 'bt709' }],
    ['wide-pixels.mp4', [...videoInput('80x90'), '-vf', 'setsar=2', ...FAST], { width: 160, height: 90 }],
    [
      'interlaced.ts',
      [...videoInput(), ...tone(), '-vf', 'interlace', '-c:v', 'mpeg2video', '-flags', '+ildct+ilme'],
      { field_order: 'progressive' },
    ],
    [
      'surround.mkv',
      [
        ...videoInput(),
        '-f',
        'lavfi',
        '-i',
        'anoisesrc=d=1:a=0.1,aformat=channel_layouts=5.1',
        ...FAST,
        '-c:a',
        'ac3',
      ],
      {},
    ],
    ['old.wmv', [...videoInput(), ...tone(), '-c:v', 'wmv2', '-c:a', 'wmav2'], {}],
    ['old.flv', [...videoInput(), '-f', 'lavfi', '-i', 'sine=d=1:sample_rate=44100', '-c:v', 'flv1'], {}],
    ['phone.3gp', [...videoInput('176x144'), '-c:v', 'h263'], { width: 176, height: 144 }],
  ]
  test.each(wild)('%s', async (name, args, expected) => {
    const clip = await makeClip(name, args)
    const { path, input } = await carryOut(clip, ['compress', { preset: 'ultrafast', crf: 28 }])
    const { streams, format } = await inspect(path)
    expect(streams[0]).toMatchObject({ codec_name: 'h264', pix_fmt: 'yuv420p', ...expected })
    expect(JSON.stringify(streams[0]?.side_data_list ?? [])).not.toContain('rotation')
    expect(streams[0]?.sample_aspect_ratio ?? '1:1').toBe('1:1')
    expect(Math.abs(Number(format.duration) - input.duration_seconds)).toBeLessThan(0.15)
    for (const { start_time } of streams) expect(Number(start_time)).toBeLessThan(0.05)
    if (name === 'surround.mkv') expect(streams[1]).toMatchObject({ codec_type: 'audio', channels: 2 })
  })

  test('drops a timecode track, copied or encoded', async () => {
    const args = [...videoInput(), ...tone(), ...FAST, '-timecode', '01:00:00:00']
    const clip = await makeClip('timecode.mov', args)
    const types = async (file: string) => (await inspect(file)).streams.map(({ codec_type }) => codec_type)
    expect(await withFile(clip, types)).toContain('data')
    for (const spec of [['mute'], ['faststart'], ['flip'], ['trim', { duration: 0.5 }]] as JobSpec[])
      expect(await types((await carryOut(clip, spec)).path)).not.toContain('data')
  })

  test.each([
    // 10-bit values: HLG's reference white, its peak, and the gray at 50 nits in PQ.
    ['arib-std-b67', 721, 190, 215],
    ['arib-std-b67', 940, 228, 236],
    ['smpte2084', 450, 110, 140],
  ])('HDR by %s: a value of %i has the right brightness', async (transfer, code, least, most) => {
    const gray = `color=c=black:s=64x64:r=25:d=0.2,format=yuv420p10le,geq=lum=${code}:cb=512:cr=512`
    const clip = await makeClip(`gray-${code}.mp4`, ['-f', 'lavfi', '-i', gray, ...hdr(transfer)])
    const { path } = await carryOut(clip, ['flip'])
    const [frame] = await frameLevels(path)
    expect(frame?.level).toBeGreaterThan(least)
    expect(frame?.level).toBeLessThan(most)
  })
})

test('runs a pipeline in one ffmpeg run: rotate, resize, speed, mute', async () => {
  const { plan, output } = await operate(
    await small(),
    ['rotate', { mode: '90ccw' }],
    ['resize', { width: 72 }],
    ['speed', { factor: 2 }],
    ['mute'],
  )
  expect(plan.steps).toHaveLength(1)
  expect(output.video).toMatchObject({ width: 72, height: 128 })
  expect(output.audio).toEqual([])
  expect(output.duration_seconds).toBeCloseTo(1, 1)
})

test('a pipeline that ends in a thumbnail uses the edited file', async () => {
  const spec: [JobSpec, JobSpec, JobSpec] = [
    ['convert', { format: 'webm' }],
    ['rotate'],
    ['thumbnail', { at: 0 }],
  ]
  const { plan, path } = await carryOut(await video(0.4), ...spec)
  expect(plan.steps.map((step) => (step.kind === 'ffmpeg' ? step.output.file : step.kind))).toEqual([
    'edited.webm',
    'thumbnail.jpg',
  ])
  expect(await videoOf(path)).toMatchObject({ width: 180, height: 320 })
})

test.each<[JobSpec, ...JobSpec[]]>([
  [['rotate'], ['resize', { width: 100 }], ['trim', { start: 0.3, duration: 1 }], ['speed', { factor: 0.5 }]],
  [['speed', { factor: 1.7 }], ['fps', { fps: 10 }], ['flip'], ['convert', { format: 'mov' }]],
  [
    ['trim', { start: 1.2 }],
    ['resize', { height: 300, width: 300, mode: 'pad' }],
    ['mute'],
    ['convert', { format: 'webm' }],
  ],
  [['mute'], ['device_meta', { preset: 'iphone' }], ['convert', { format: 'mkv' }], ['faststart']],
])('a pipeline leaves what its plan declares: %j %j %j %j', async (...specs) => {
  const { input, output, path } = await operate(await small(), ...specs)
  const declared = reportedAfter(input, specs)
  const { width, height, codec, pixel_format, rotation_degrees } = declared.video
  expect(output.video).toMatchObject({ index: 0, width, height, codec, pixel_format, rotation_degrees })
  expect(output.container).toBe(declared.container)
  expect(Math.abs(output.duration_seconds - declared.duration_seconds)).toBeLessThan(0.1)
  expect(output.video.frames_per_second).toBeCloseTo(declared.video.frames_per_second, 0)
  expect(output.audio).toEqual(declared.audio)
  expect(path).toMatch(/edited\.\w+$/)
})

test('late audio is in sync at another speed', async () => {
  const late = await makeClip('late-sound.mkv', [
    ...[...videoInput('64x64', 6), '-itsoffset', '2', ...tone(4), '-map', '0', '-map', '1', ...FAST],
  ])
  const { path } = await carryOut(late, ['speed', { factor: 2 }])
  const { stderr } = await execute('ffmpeg', [
    ...['-hide_banner', '-i', path, '-af', 'silencedetect=noise=-40dB:d=0.3', '-f', 'null', '-'],
  ])
  expect(Number(/silence_start: (\S+)/.exec(stderr)?.[1])).toBeCloseTo(0, 1)
  expect(Number(/silence_end: (\S+)/.exec(stderr)?.[1])).toBeCloseTo(1, 1)
})

const flight = once(() =>
  withFile('1\n00:00:00,000 --> 00:00:01,000\nGPS (52.5, 13.4)\n', (path) =>
    makeClip('flight.mp4', [
      ...[...videoInput(), '-f', 'srt', '-i', path, '-map', '0', '-map', '1', ...FAST, '-c:s', 'mov_text'],
    ]),
  ),
)

test.each<JobSpec>([['strip_metadata'], ['device_meta', { preset: 'iphone_16_pro' }]])(
  'removes camera data in subtitles too (%s)',
  async (...spec) => {
    const { input, path } = await carryOut(await flight(), spec)
    expect(input.subtitles).toHaveLength(1)
    expect((await inspect(path)).streams.map(({ codec_type }) => codec_type)).toEqual(['video'])
  },
)

test("copied HEVC has Apple's codec tag, also when cut", async () => {
  const hevc = await makeClip('hevc.mkv', [
    ...videoInput(),
    '-c:v',
    'libx265',
    '-x265-params',
    'log-level=error',
  ])
  const inMp4 = await withFile(hevc, (path) =>
    makeClip('hev1.mp4', ['-i', path, '-c', 'copy', '-tag:v', 'hev1']),
  )
  const { path } = await carryOut(inMp4, ['trim', { duration: 0.5 }])
  expect((await videoOf(path)).codec_tag_string).toBe('hvc1')
})

test('a profile that browsers play even at the finest quality', async () => {
  const { path } = await carryOut(await video(0.4), ['compress', { crf: 0, preset: 'ultrafast' }])
  expect((await videoOf(path)).profile).not.toMatch(/4:4:4/)
})
