import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import { FAST, makeClip, once, tone, turnClip, videoInput } from '../testing/clips.ts'
import { withFile } from '../testing/describe-image.ts'
import {
  carryOut,
  type Inspected,
  inspect,
  type JobSpec,
  operate,
  type Packets,
  readPackets,
  videoStreamOf,
} from '../testing/operate.ts'

const execute = promisify(execFile)

describe('operations that copy streams', () => {
  let rotated: Buffer
  let packets: Packets
  beforeAll(async () => {
    const plain = await makeClip('two-tracks.mp4', [
      ...[...videoInput(), ...tone(), ...tone(), '-map', '0', '-map', '1', '-map', '2', ...FAST],
      ...['-metadata', 'title=Secret', '-metadata', 'location=+52.5+013.4/'],
      ...['-metadata', 'creation_time=2024-01-02T03:04:05Z', '-metadata:s:a:0', 'language=deu'],
    ])
    rotated = await turnClip(plain)
    packets = await withFile(rotated, (path) => readPackets(path))
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
  test.each(specs)('%s %j keeps all packets', async (...spec) => {
    const { plan, path, input, output } = await operate(rotated, spec)
    expect(plan.encode_mode).toBe('remux')
    const is_mute = spec[0] === 'mute'
    expect(await readPackets(path)).toEqual(is_mute ? { ...packets, a: [] } : packets)
    expect(output.audio).toHaveLength(is_mute ? 0 : 2)
    const { rotation_degrees } = input.video
    expect(rotation_degrees).not.toBe(0)
    expect(output.video).toMatchObject({ width: 90, height: 160, rotation_degrees })
  })

  test('strip_metadata removes location, time, title, language and program', async () => {
    const { path } = await carryOut(rotated, ['strip_metadata'])
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
    const { path } = await carryOut(rotated, spec)
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

  test('convert encodes a rotated clip upright for Matroska, which has no rotation metadata', async () => {
    const { plan, output } = await operate(rotated, ['convert', { format: 'mkv' }])
    expect(plan.encode_mode).toBe('audio_copy')
    expect(output.video).toMatchObject({ width: 90, height: 160, rotation_degrees: 0 })
  })
})

test('keeps subtitles and audio languages, unless strip_metadata removes them', {
  tags: ['extended'],
}, async () => {
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

const flight = once(() =>
  withFile('1\n00:00:00,000 --> 00:00:01,000\nGPS (52.5, 13.4)\n', (path) =>
    makeClip('flight.mp4', [
      ...[...videoInput(), '-f', 'srt', '-i', path, '-map', '0', '-map', '1', ...FAST, '-c:s', 'mov_text'],
    ]),
  ),
)

test.each<JobSpec>([['strip_metadata'], ['device_meta', { preset: 'iphone_16_pro' }]])(
  '%s removes subtitles, which can contain camera data',
  async (...spec) => {
    const { input, path } = await carryOut(await flight(), spec)
    expect(input.subtitles).toHaveLength(1)
    expect((await inspect(path)).streams.map(({ codec_type }) => codec_type)).toEqual(['video'])
  },
)

test('a stream-copied cut of HEVC gets the codec tag of Apple players', async () => {
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
  expect((await videoStreamOf(path)).codec_tag_string).toBe('hvc1')
})

test('drops a timecode track, copied or encoded', { tags: ['extended'] }, async () => {
  const args = [...videoInput(), ...tone(), ...FAST, '-timecode', '01:00:00:00']
  const clip = await makeClip('timecode.mov', args)
  const types = async (file: string) => (await inspect(file)).streams.map(({ codec_type }) => codec_type)
  expect(await withFile(clip, types)).toContain('data')
  for (const spec of [['mute'], ['faststart'], ['flip'], ['trim', { duration: 0.5 }]] as JobSpec[])
    expect(await types((await carryOut(clip, spec)).path)).not.toContain('data')
})
