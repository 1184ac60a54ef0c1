import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Outcome } from '../../shared/protocol/job-report.ts'
import { keepAudio, keepVideo } from '../../shared/speech/cut-graph.ts'
import type { Fleet } from '../fleet.ts'
import { makeClip, video } from '../testing/clips.ts'
import { startTestContext, type TestContext } from '../testing/context.ts'
import { withFile } from '../testing/describe-image.ts'
import { frameLevels, inspect, readPackets } from '../testing/operate.ts'
import { PAUSE_SECONDS, retake, SAID, talk } from '../testing/speech.ts'

const execute = promisify(execFile)

let context: TestContext
let fleet: Fleet
beforeAll(async () => {
  context = await startTestContext()
  fleet = await context.startFleet()
})
afterAll(() => context.close())

async function runJob(input: Buffer, operation_key: string, params: Record<string, unknown> = {}, more = {}) {
  const spec = { service_slug: 'video', operation_key, params, filename: 'talk.mp4', ...more } as const
  const dispatch = context.dispatch(input, spec)
  const { outcome } = await context.run(fleet.port, dispatch)
  const percents = context.edge.received.flatMap(({ report }) =>
    report.job_id === dispatch.job_id && report.type === 'job.progress' ? [report.progress] : [],
  )
  return { outcome, percents, ...resultOf(outcome) }
}

function resultOf(outcome: Outcome) {
  if (outcome.status !== 'done') return { body: {}, file: Buffer.alloc(0) }
  return {
    body: outcome.body,
    file: context.storage.objects.get(outcome.files[0]?.key ?? '') ?? Buffer.alloc(0),
  }
}

/** Returns the fraction of the spoken words that appear in a text. */
function recognizedFraction(text: string): number {
  const said = SAID.join(' ').split(' ')
  const received = new Set(text.toLowerCase().split(/[^a-z']+/))
  return said.filter((word) => received.has(word)).length / said.length
}

test('transcribe writes subtitles at the times of the speech', async () => {
  const { outcome, body, file } = await runJob(await talk(), 'transcribe', { format: 'srt' })
  expect(outcome).toMatchObject({ status: 'done', files: [{ filename: 'talk-transcribe.srt' }] })
  expect(body).toMatchObject({ language: 'en', format: 'srt', text: expect.any(String) })
  expect(recognizedFraction(String(body.text))).toBeGreaterThan(0.7)
  // The second sentence starts after the first one (2.99 s) and the pause (2.5 s).
  const starts = [...file.toString().matchAll(/(\d+):(\d+):(\d+),(\d+) -->/g)].map(
    ([, , , seconds, thousandths]) => Number(seconds) + Number(thousandths) / 1000,
  )
  expect(starts).toHaveLength(2)
  expect(starts[0]).toBeLessThan(0.6)
  expect(starts[1]).toBeCloseTo(2.99 + PAUSE_SECONDS + 0.3, 0)
})

test('a file without audio or speech fails with a message for users', async () => {
  const mute = await makeClip('mute.mp4', ['-f', 'lavfi', '-i', 'testsrc2=duration=1:size=64x64'])
  expect((await runJob(mute, 'transcribe')).outcome).toMatchObject({
    status: 'failed',
    error: expect.stringMatching(/no audio/),
  })
  expect((await runJob(await video(2), 'subtitles')).outcome).toMatchObject({
    status: 'failed',
    error: expect.stringMatching(/No speech was found/),
  })
})

test('auto_edit removes the pause from video and audio', async () => {
  const clip = await talk()
  const lengthsOf = async (path: string) =>
    (await inspect(path)).streams.map(({ duration }) => Number(duration))
  const [video_seconds = 0, audio_seconds = 0] = await withFile(clip, lengthsOf)
  const { body, file, percents } = await runJob(clip, 'auto_edit', {
    keep_pause: 0.3,
    max_pause: 0.6,
  })
  expect(body).toMatchObject({ cuts: 1, pauses: 1, encode_mode: 'encode' })
  const removed = Number(body.removed_seconds)
  expect(removed).toBeGreaterThan(1.8)
  expect(removed).toBeLessThan(PAUSE_SECONDS + 0.5)
  await withFile(file, async (path) => {
    const lengths = await lengthsOf(path)
    expect(lengths[0]).toBeCloseTo(video_seconds - removed, 1)
    expect(lengths[1]).toBeCloseTo(audio_seconds - removed, 1)
    // The remaining pause has the requested duration, within the precision of the detection.
    const { stderr } = await execute('ffmpeg', [
      '-i',
      path,
      '-vn',
      '-af',
      'silencedetect=n=-45dB:d=0.25',
      '-f',
      'null',
      '-',
    ])
    for (const [, seconds] of stderr.matchAll(/silence_duration: (\S+)/g))
      expect(Number(seconds)).toBeLessThan(0.6)
  })
  expect(percents).toEqual([...percents].sort((one, other) => one - other))
})

test('video and audio stay in sync over every cut', async () => {
  const rate = 30000 / 1001
  const keep = [
    [0, 40],
    [70, 95],
    [130, 170],
    [250, 290],
    [320, 340],
  ].map(([from = 0, to = 0]) => ({ start: from / rate, end: to / rate }))
  const padsOf = (input: string, output: string, row: string) => {
    return { input, output, own: (name: string) => `[${row}_${name}]`, file: () => '', track: 0 }
  }
  const graph = [
    keepVideo(keep, rate)(padsOf('[0:v]', '[video]', 'v')),
    keepAudio(keep)(padsOf('[0:a]', '[audio]', 'a')),
  ].join(';')
  // Every tenth frame is white and comes with a tone of the same duration.
  const is_tenth = (count: string) => `eq(mod(${count},10),5)`
  const flashes = await makeClip('flashes.mov', [
    ...['-f', 'lavfi', '-i', 'color=black:s=64x64:r=30000/1001:d=12', '-f', 'lavfi', '-i'],
    `aevalsrc='if(${is_tenth('floor(t*30000/1001+1e-6)')},0.8*sin(2*PI*1000*t),0)':s=48000:d=12`,
    ...['-vf', `geq=lum='if(${is_tenth('N')},235,16)':cb=128:cr=128`, '-c:v', 'libx264', '-c:a', 'pcm_s16le'],
  ])
  await withFile(flashes, async (path) => {
    const cut = `${path}.mov`
    const maps = ['-map', '[video]', '-map', '[audio]', '-c:v', 'libx264', '-c:a', 'pcm_s16le']
    await execute('ffmpeg', ['-v', 'error', '-i', path, '-filter_complex', graph, ...maps, cut])
    const seen = (await frameLevels(cut)).filter(({ level }) => level > 100).map(({ seconds }) => seconds)
    const received = await toneStarts(cut)
    expect(seen).toHaveLength(16)
    expect(received).toHaveLength(16)
    for (const [position, seconds] of seen.entries()) expect(received[position]).toBeCloseTo(seconds, 2)
  })
})

/** Returns the times in seconds at which 48 kHz audio starts after silence. */
async function toneStarts(path: string): Promise<number[]> {
  const args = ['-v', 'error', '-i', path, '-vn', '-f', 's16le', '-ac', '1', '-']
  const { stdout } = await execute('ffmpeg', args, { encoding: 'buffer', maxBuffer: 2 ** 24 })
  const starts: number[] = []
  let last_loud = Number.NEGATIVE_INFINITY
  for (let at = 0; at < stdout.length / 2; at += 1) {
    if (Math.abs(stdout.readInt16LE(at * 2)) < 800) continue
    if (at - last_loud > 2000) starts.push(at / 48_000)
    last_loud = at
  }
  return starts
}

test('removes a repeated take and keeps the last one', { tags: ['extended'] }, async () => {
  const { body } = await runJob(await retake(), 'auto_edit', { remove_retakes: true })
  expect(body).toMatchObject({ retakes: 1 })
  expect(Number(body.removed_seconds)).toBeGreaterThan(2.5)
})

test('burned subtitles change only the lower part of the video', async () => {
  const gray = ['-f', 'lavfi', '-i', 'color=gray:size=320x180:rate=10:duration=2']
  const clip = await makeClip('gray.mp4', [...gray, '-pix_fmt', 'yuv420p'])
  const subtitles_text = '1\n00:00:00,500 --> 00:00:02,000\nPlain words {\\an8}'
  const { body, file } = await runJob(clip, 'subtitles', { subtitles_text, style: 'boxed' })
  expect(body).toMatchObject({ subtitles: 1, encode_mode: 'encode', width: 320, height: 180 })
  await withFile(file, async (path) => {
    const spread = async (seconds: number, crop: string) => {
      const filter = `select='gte(t,${seconds})',crop=${crop},signalstats,metadata=print:file=-`
      const { stdout } = await execute('ffmpeg', [
        '-v',
        'error',
        '-i',
        path,
        '-vf',
        filter,
        '-frames:v',
        '1',
        '-f',
        'null',
        '-',
      ])
      const value = (key: string) => Number(new RegExp(`${key}=(\\d+)`).exec(stdout)?.[1])
      return value('YMAX') - value('YMIN')
    }
    expect(await spread(1, 'iw:ih/3:0:ih*2/3')).toBeGreaterThan(120)
    expect(await spread(1, 'iw:ih/2:0:0')).toBeLessThan(10)
    expect(await spread(0, 'iw:ih/3:0:ih*2/3')).toBeLessThan(10)
  })
})

test.each([
  ['mp4', 'mov_text', []],
  ['mkv', 'subrip', []],
  ['webm', 'webvtt', ['-c:v', 'libvpx', '-deadline', 'realtime', '-c:a', 'libopus']],
])('subtitles embedded into %s copy every packet and can be extracted', async (extension, codec, options) => {
  const source = [
    '-f',
    'lavfi',
    '-i',
    'testsrc2=duration=2:size=64x64',
    '-f',
    'lavfi',
    '-i',
    'sine=duration=2',
  ]
  const clip = await makeClip(`tiny.${extension}`, [...source, ...options])
  const subtitles_text = 'WEBVTT\n\n00:00.500 --> 00:01.500\nTwo and three\n'
  const { body, file } = await runJob(clip, 'subtitles', { mode: 'embed', subtitles_text, language: 'uk' })
  expect(body).toMatchObject({ encode_mode: 'remux', subtitles: 1, format: extension })
  await withFile(clip, (before) =>
    withFile(file, async (after) => {
      const packets = await readPackets(before)
      expect(Math.min(packets.v.length, packets.a.length)).toBeGreaterThan(40)
      expect(await readPackets(after)).toEqual(packets)
      const { streams } = await inspect(after)
      expect(streams[2]).toMatchObject({ codec_name: codec, tags: { language: 'ukr' } })
      const { stdout } = await execute('ffmpeg', [
        '-v',
        'error',
        '-i',
        after,
        '-map',
        '0:s',
        '-f',
        'srt',
        '-',
      ])
      // WebM audio starts slightly before 0, which shifts everything.
      expect(stdout).toMatch(/00:00:00,50\d --> 00:00:01,50\d\r?\n.*Two and three/)
    }),
  )
})

test('downloads subtitles by URL, and names the parameter if the file is not subtitles', async () => {
  const clip = await makeClip(
    'tiny.mp4',
    [
      ...['-f', 'lavfi', '-i', 'testsrc2=duration=2:size=64x64', '-f', 'lavfi', '-i', 'sine=duration=2'],
    ].flat(),
  )
  context.storage.objects.set(
    'uploads/own.srt',
    Buffer.from('\uFEFF1\r\n00:00:00,000 --> 00:00:01,000\r\nOwn\r\n'),
  )
  context.storage.objects.set(
    'uploads/cyrillic.srt',
    Buffer.from('1\r\n00:00:00 --> 00:00:01\r\n\xcf\xf0\xe8\xe2\xb3\xf2\r\n', 'latin1'),
  )
  context.storage.objects.set('uploads/none.srt', Buffer.from([0, 1, 2, 3]))
  const params = { subtitles_url: 'https://example.org/own.srt', mode: 'embed' }
  const assetsOf = (key: string) => ({ assets: { '0-subtitles_url': { kind: 'object', key } } })
  const { body } = await runJob(clip, 'subtitles', params, assetsOf('uploads/own.srt'))
  expect(body).toMatchObject({ subtitles: 1, encoding: 'utf-8' })
  for (const mode of ['embed', 'burn']) {
    const cyrillic = await runJob(clip, 'subtitles', { ...params, mode }, assetsOf('uploads/cyrillic.srt'))
    expect(cyrillic.body).toMatchObject({ subtitles: 1, encoding: 'windows-1251' })
  }
  const { outcome } = await runJob(clip, 'subtitles', params, assetsOf('uploads/none.srt'))
  expect(outcome).toMatchObject({
    status: 'failed',
    error: expect.stringMatching(/^subtitles_url: .*not a text file/),
  })
})
