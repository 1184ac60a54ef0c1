import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeClip } from '../testing/clips.ts'
import { withFile } from '../testing/describe-image.ts'
import { inspect, packetHashes } from '../testing/operate.ts'
import { type JobRunner, startJobRunner } from '../testing/run-job.ts'
import { readTones } from '../testing/tones.ts'

const execute = promisify(execFile)

let jobs: JobRunner
beforeAll(async () => {
  jobs = await startJobRunner()
})
afterAll(() => jobs.close())

const videoInput = (seconds: number) => ['-f', 'lavfi', '-i', `testsrc2=s=64x64:r=10:d=${seconds}`]
const lavfi = (graph: string) => ['-f', 'lavfi', '-i', graph]
const HIGH_HERTZ = 960
const CODED = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p']

/**
 * Makes an eight-second clip of speech (pocketsphinx-testdata) that ends in silence, passed through ffmpeg filters.
 */
function voice(filters = 'anull'): Promise<Buffer> {
  const recording = '/usr/share/pocketsphinx/test/data/librivox/sense_and_sensibility_01_austen_64kb-0870.wav'
  const graph = `[1]aresample=48000,atrim=end=6.5,apad=whole_dur=8,${filters}[audio]`
  return makeClip('voice.mp4', [
    ...[...videoInput(8), '-i', recording, '-filter_complex', graph],
    ...['-map', '0:v', '-map', '[audio]', ...CODED, '-c:a', 'aac', '-b:a', '192k'],
  ])
}

/** Measures the loudness of the first audio track according to EBU R128. */
async function loudness(path: string): Promise<{ lufs: number; peak: number }> {
  const measured = ['-map', '0:a:0', '-af', 'ebur128=peak=true', '-f', 'null', '-']
  const args = ['-hide_banner', '-nostdin', '-i', path, ...measured]
  const { stderr } = await execute('ffmpeg', args, { maxBuffer: 16 * 1024 * 1024 })
  const last = (pattern: RegExp) => Number([...stderr.matchAll(pattern)].at(-1)?.[1])
  return { lufs: last(/^\s+I:\s+(\S+) LUFS/gm), peak: last(/^\s+Peak:\s+(\S+) dBFS/gm) }
}

describe('enhance_voice', () => {
  test.each([
    ['an unfiltered recording', 'anull', {}, -16],
    ['a quiet recording', 'volume=-26dB', {}, -16],
    [
      'a loud recording, level strong',
      'volume=9dB,alimiter=limit=0.98:level=false',
      { level: 'strong' },
      -16,
    ],
    [
      'loudness only, for broadcast',
      'anull',
      { denoise: false, deess: false, compress: false, target_lufs: -23 },
      -23,
    ],
    [
      'a recording with claps',
      "aeval=exprs='val(0)+if(lt(mod(t,2),0.004),0.9,0)':c=same",
      { compress: false },
      -16,
    ],
  ])(
    '%s: within 1 LU of the target, peaks below -1 dBTP',
    { tags: ['extended'] },
    async (_, filter, params, target) => {
      const clip = await voice(filter)
      const { path, outcome } = await jobs.run({ operation_key: 'enhance_voice', params }, { input: clip })
      const { lufs, peak } = await loudness(path)
      expect(Math.abs(lufs - target)).toBeLessThanOrEqual(1)
      expect(peak).toBeLessThanOrEqual(-1)
      expect(outcome.body).toMatchObject({ encode_mode: 'video_copy', format: 'mp4' })
    },
  )

  test('reduces noise in pauses relative to the voice, more so at level strong', {
    tags: ['extended'],
  }, async () => {
    const clip = await voice('aeval=val(0)+0.02*(random(0)-0.5):c=same')
    const enhance = async (level: string) => {
      const { path } = await jobs.run(
        { operation_key: 'enhance_voice', params: { level, compress: false } },
        { input: clip },
      )
      const filters = 'atrim=start=6.8:end=7.9,volumedetect'
      const args = ['-hide_banner', '-nostdin', '-i', path, '-map', '0:a', '-af', filters, '-f', 'null', '-']
      const { stderr } = await execute('ffmpeg', args)
      return Number(/mean_volume: (\S+) dB/.exec(stderr)?.[1])
    }
    const [light, strong] = [await enhance('light'), await enhance('strong')]
    expect(strong).toBeLessThan(light - 8)
  })

  test('keeps the level without loudnorm, and copies the video', async () => {
    const clip = await voice()
    const { path, outcome } = await jobs.run(
      { operation_key: 'enhance_voice', params: { loudnorm: false } },
      { input: clip },
    )
    expect((await loudness(path)).lufs).toBeCloseTo(Number(outcome.body.source_loudness_lufs), 0)
    expect(await packetHashes(path, 'v')).toEqual(await withFile(clip, (source) => packetHashes(source, 'v')))
  })

  test('downmixes 5.1 to stereo and normalizes each of two tracks', { tags: ['extended'] }, async () => {
    const surround = 'pan=5.1|FC=c0|FL=0.2*c0|FR=0.2*c0|LFE=0*c0|BL=0*c0|BR=0*c0'
    const clip = await makeClip('two-tracks.mkv', [
      ...[...videoInput(4), ...lavfi('aevalsrc=0.05*sin(1500*t)*lt(mod(t\\,1)\\,0.6):d=4:s=48000')],
      ...['-filter_complex', `[1]asplit[a][b];[a]${surround}[six];[b]volume=12dB[two]`],
      ...['-map', '0:v', '-map', '[six]', '-map', '[two]', ...CODED, '-c:a:0', 'ac3', '-c:a:1', 'libmp3lame'],
    ])
    const { path } = await jobs.run(
      { operation_key: 'enhance_voice', params: { denoise: false } },
      { input: clip },
    )
    const { streams } = await inspect(path)
    expect(
      streams.filter(({ codec_type }) => codec_type === 'audio').map(({ channels }) => channels),
    ).toEqual([2, 2])
    expect(Math.abs((await loudness(path)).lufs + 16)).toBeLessThanOrEqual(1)
  })

  test('keeps cleaned audio in sync with the video', { tags: ['extended'] }, async () => {
    const bursts =
      'aevalsrc=0.2*sin(6000*t)*between(mod(t\\,1)\\,0.5\\,0.8)+0.001*(random(0)-0.5):d=4:s=48000'
    const clip = await makeClip('bursts.mp4', [...videoInput(4), ...lavfi(bursts), ...CODED, '-c:a', 'aac'])
    const { path } = await jobs.run(
      { operation_key: 'enhance_voice', params: { level: 'strong' } },
      { input: clip },
    )
    const detect = ['-map', '0:a:0', '-af', 'silencedetect=noise=-35dB:d=0.1', '-f', 'null', '-']
    const { stderr } = await execute('ffmpeg', ['-hide_banner', '-nostdin', '-i', path, ...detect])
    const begins = [...stderr.matchAll(/silence_end: (\S+)/g)].map(([, seconds]) => Number(seconds))
    expect(begins.length).toBeGreaterThanOrEqual(4)
    for (const [index, seconds] of begins.slice(0, 4).entries()) {
      expect(Math.abs(seconds - (index + 0.5))).toBeLessThan(0.012)
    }
  })

  test('keeps WebM as the container, and late audio in sync', { tags: ['extended'] }, async () => {
    const clip = await makeClip('late.webm', [
      ...[
        ...videoInput(4),
        '-itsoffset',
        '1.5',
        ...lavfi(`aevalsrc=0.2*sin(${HIGH_HERTZ}*2*PI*t):d=2:s=48000`),
      ],
      ...['-c:v', 'libvpx', '-b:v', '100k', '-deadline', 'realtime', '-c:a', 'libopus'],
    ])
    const { path, outcome } = await jobs.run({ operation_key: 'enhance_voice' }, { input: clip })
    expect(outcome.body).toMatchObject({ format: 'webm', encode_mode: 'video_copy' })
    const levelOf = await readTones(path)
    expect(levelOf(HIGH_HERTZ, 0.2, 1.3)).toBeLessThan(-60)
    expect(levelOf(HIGH_HERTZ, 1.8, 3.2)).toBeGreaterThan(-30)
  })

  test.each([
    ['no audio', ['-an'], 'no audio'],
    ['silence', ['-f', 'lavfi', '-i', 'anullsrc', '-shortest', '-c:a', 'aac'], 'silent'],
  ])('refuses a video with %s', async (name, options, reason) => {
    const clip = await makeClip(`${name.replace(' ', '-')}.mp4`, [...videoInput(1), ...options, ...CODED])
    expect(await jobs.fail({ operation_key: 'enhance_voice' }, { input: clip })).toContain(reason)
  })
})

describe('add_audio', () => {
  const tone = (hertz: number, seconds: number, extension = 'wav') =>
    makeClip(
      `tone-${hertz}-${seconds}.${extension}`,
      lavfi(`aevalsrc=0.2*sin(${hertz}*2*PI*t):d=${seconds}:s=44100`),
    )
  const url = 'https://example.com/music'
  const add = (input: Buffer, params: Record<string, unknown>, ...tracks: Buffer[]) =>
    jobs.run(
      { operation_key: 'add_audio', params },
      { input, ...Object.fromEntries(tracks.map((track, index) => [`0-tracks.${index}.url`, track])) },
    )
  const low = () =>
    makeClip('low.mp4', [...videoInput(6), ...lavfi('aevalsrc=0.2*sin(300*2*PI*t):d=6:s=48000'), ...CODED])

  test('mixes a looped track under existing audio, with fades, and copies the video', async () => {
    const clip = await low()
    const track = { url, start: 1, loop: true, fade_in: 1, fade_out: 1 }
    const { path, outcome, percents } = await add(clip, { tracks: [track] }, await tone(1000, 2, 'mp3'))
    expect(outcome.body).toMatchObject({ encode_mode: 'video_copy', format: 'mp4' })
    expect(Math.abs(Number(outcome.body.duration_seconds) - 6)).toBeLessThan(0.1)
    expect(percents.at(-1)).toBe(100)
    expect(await packetHashes(path, 'v')).toEqual(await withFile(clip, (source) => packetHashes(source, 'v')))
    const levelOf = await readTones(path)
    expect(levelOf(300, 0.2, 5.8)).toBeCloseTo(-17, 0)
    expect(levelOf(1000, 0.1, 0.9)).toBeLessThan(-45)
    expect(levelOf(1000, 2.2, 4.8)).toBeCloseTo(-17, 0)
    expect(levelOf(1000, 1, 1.2)).toBeLessThan(-28)
    expect(levelOf(1000, 5.8, 6)).toBeLessThan(-28)
  })

  test('replaces the audio with original_volume 0; adds audio to a silent video', async () => {
    const silent = await makeClip('silent-6.mp4', [...videoInput(6), ...CODED])
    for (const input of [await low(), silent]) {
      const { path } = await add(
        input,
        { tracks: [{ url, volume: 0.5 }], original_volume: 0 },
        await tone(1000, 2, 'flac'),
      )
      const levelOf = await readTones(path)
      expect(levelOf(300, 0.2, 5.8)).toBeLessThan(-50)
      expect(levelOf(1000, 0.2, 1.8)).toBeCloseTo(-23, 0)
      expect(levelOf(1000, 2.4, 5.8)).toBeLessThan(-50)
    }
  })

  test('does not clip two loud tracks', async () => {
    const loud = await makeClip('loud.ogg', lavfi('aevalsrc=0.9*sin(700*2*PI*t):d=6:s=48000'))
    const { path } = await add(await low(), { tracks: [{ url, volume: 1.5 }, { url }] }, loud, loud)
    expect((await loudness(path)).peak).toBeLessThan(0)
  })

  test.each([
    [true, 12],
    [6, 6],
  ])('duck %j attenuates music under speech by about %d dB, then restores it', async (duck, decibels) => {
    const speaks = await makeClip('speaks.mp4', [
      ...[
        ...videoInput(8),
        ...lavfi('aevalsrc=0.15*sin(300*2*PI*t)*between(t\\,2\\,5):d=8:s=48000'),
        ...CODED,
      ],
    ])
    const { path } = await add(speaks, { tracks: [{ url, loop: true, duck }] }, await tone(1000, 3))
    const levelOf = await readTones(path)
    const [before, under, after] = [levelOf(1000, 0.5, 1.8), levelOf(1000, 2.5, 4.8), levelOf(1000, 6.5, 7.8)]
    expect(Math.abs(before - under - decibels)).toBeLessThan(2)
    expect(Math.abs(before - after)).toBeLessThan(0.5)
  })

  test('works in a pipeline: trim, add music, speed up', async () => {
    const { path, outcome } = await jobs.run(
      {
        operation_key: 'trim',
        params: { start: 2, duration: 3 },
        pipeline: [
          { operation_key: 'add_audio', params: { tracks: [{ url, loop: true }], original_volume: 0 } },
          { operation_key: 'speed', params: { factor: 1.5 } },
        ],
      },
      { input: await low(), '1-tracks.0.url': await tone(1000, 2) },
    )
    expect(Math.abs(Number(outcome.body.duration_seconds) - 2)).toBeLessThan(0.15)
    expect((await readTones(path))(1000, 0.3, 1.7)).toBeCloseTo(-17, 0)
  })

  test.each([
    [{ start: 7 }, 'tracks.0.start'],
    [{}, 'tracks.0.url'],
  ])('refuses %j and names the parameter', async (track, field) => {
    const asset =
      Object.keys(track).length === 0
        ? await makeClip('mute.mp4', [...videoInput(1), ...CODED])
        : await tone(1000, 2)
    const params = { tracks: [{ url, ...track }] }
    const spec = { operation_key: 'add_audio', params }
    expect(await jobs.fail(spec, { input: await low(), '0-tracks.0.url': asset })).toContain(field)
  })
})
