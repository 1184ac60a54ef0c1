import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { makeClip, photo } from '../testing/clips.ts'
import { describeImage, withFile } from '../testing/describe-image.ts'
import { inspect, packetHashes } from '../testing/operate.ts'
import { type JobRunner, startJobRunner } from '../testing/run-job.ts'
import { startVideoSite, type VideoSite } from '../testing/video-site.ts'

const OPEN = { ALLOW_PRIVATE_SOURCES: 'true', MEDIA_FETCH_ENABLED: 'true' }

let site: VideoSite
let jobs: JobRunner
let clip: Buffer

const recording = (number: string) =>
  `/usr/share/pocketsphinx/test/data/librivox/sense_and_sensibility_01_austen_64kb-${number}.wav`

beforeAll(async () => {
  clip = await makeClip('linked.mp4', [
    ...['-f', 'lavfi', '-i', 'testsrc2=s=160x90:r=25', '-i', recording('0880'), '-shortest'],
    ...[
      '-c:v',
      'libx264',
      '-preset',
      'ultrafast',
      '-g',
      '25',
      '-pix_fmt',
      'yuv420p',
      '-c:a',
      'aac',
      '-ar',
      '44100',
    ],
  ])
  const segment = await makeClip('segment.ts', [
    ...['-f', 'lavfi', '-i', 'testsrc2=s=160x90:r=25:d=2', '-f', 'lavfi', '-i', 'sine=d=2'],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac', '-f', 'mpegts'],
  ])
  const playlist = (uri: string, end = '#EXT-X-ENDLIST\n', key = '') =>
    Buffer.from(`#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:2\n${key}#EXTINF:2,\n${uri}\n${end}`)
  site = await startVideoSite({
    '/clip.mp4': clip,
    '/other.mp4': clip,
    '/song.mp3': await makeClip('song.mp3', ['-f', 'lavfi', '-i', 'sine=d=3']),
    '/image.jpg': await photo(640, 360),
    '/segment.ts': segment,
    '/media.m3u8': playlist('segment.ts'),
    '/local.m3u8': playlist('file:///etc/passwd'),
  })
  jobs = await startJobRunner(OPEN)
})
afterAll(() => Promise.all([jobs.close(), site.close()]))

function spec(operation_key: string, path: string, params: Record<string, unknown> = {}) {
  const url = path.startsWith('/') ? site.url + path : path
  return {
    operation_key,
    params: { url, ...params },
    source: { kind: 'link' as const, url },
    filename: 'page',
  }
}

describe('link_info', () => {
  test('returns what the page states', async () => {
    const include = ['info', 'stats', 'analytics', 'chapters', 'subtitles', 'thumbnails', 'formats']
    const { outcome, content } = await jobs.run(spec('link_info', '/page', { include }))
    const output = JSON.parse(content.toString())
    expect(output.info).toMatchObject({ description: 'What it is about' })
    expect(output.thumbnails[0].url).toBe(`${site.url}/image.jpg`)
    expect(outcome.files[0]?.filename).toBe('HYPERLINK(_http_ example.com_) _ _more-link_info.json')
    expect(outcome.body).toMatchObject({ info: output.info, stats: output.stats, format: 'json' })
  })

  test('names a video after its page, even if downloads are disabled', async () => {
    const closed = await startJobRunner({ ALLOW_PRIVATE_SOURCES: 'true' })
    onTestFinished(() => closed.close())
    const { outcome } = await closed.run(spec('link_info', '/embedded'))
    expect(outcome.body).toMatchObject({ info: { title: 'One of its own' } })
  })
})

describe('download_video', () => {
  test.each(['/page', '/moved'])('%s copies the packets of the site', async (path) => {
    const result = await jobs.run(spec('download_video', path))
    expect(result.outcome.body).toMatchObject({
      encode_mode: 'remux',
      format: 'mp4',
      width: 160,
      height: 90,
    })
    const whole = await withFile(clip, (file) => packetHashes(file, 'v'))
    expect(await packetHashes(result.path, 'v')).toEqual(whole)
    expect(Math.max(...result.percents)).toBe(100)
  })

  test('an HLS playlist becomes an MP4', async () => {
    const { path, outcome } = await jobs.run(spec('download_video', '/media.m3u8'))
    expect(outcome.body).toMatchObject({ format: 'mp4', width: 160 })
    const { streams } = await inspect(path)
    expect(streams.map(({ codec_name }) => codec_name)).toEqual(['h264', 'aac'])
  })

  test('a part starts at the keyframe at or before its start', async () => {
    const { outcome } = await jobs.run(spec('download_video', '/clip.mp4', { start: 1.5, duration: 1 }))
    expect(Number(outcome.body.duration_seconds)).toBeGreaterThan(0.9)
    expect(Number(outcome.body.duration_seconds)).toBeLessThan(2.1)
  })
})

describe('download_audio', () => {
  test('copies the audio of a video, or an audio file', { tags: ['extended'] }, async () => {
    const { outcome, path } = await jobs.run(spec('download_audio', '/page'))
    expect(outcome.body).toMatchObject({ encode_mode: 'remux', format: 'm4a' })
    expect((await inspect(path)).streams.map(({ codec_name }) => codec_name)).toEqual(['aac'])
    const song = await jobs.run(
      spec('download_audio', '/song.mp3', { audio_format: 'mp3', start: 1, duration: 1 }),
    )
    expect(song.outcome.body).toMatchObject({ encode_mode: 'remux', format: 'mp3' })
    expect(Number(song.outcome.body.duration_seconds)).toBeCloseTo(1, 0)
  })

  test('refuses a format that the site does not offer, without encoding', async () => {
    const sentence = await jobs.fail(spec('download_audio', '/clip.mp4', { audio_format: 'opus' }))
    expect(sentence).toMatch(/^audio_format: .*only m4a/)
  })
})

test('download_thumbnail', async () => {
  const params = { thumbnail_format: 'webp' }
  const { content, outcome } = await jobs.run(spec('download_thumbnail', '/page', params))
  expect(await describeImage(content)).toMatchObject({ format: 'webp', width: 640, height: 360 })
  expect(outcome.files[0]?.filename).toMatch(/-download_thumbnail\.webp$/)
})

test('link_transcribe transcribes the speech', async () => {
  const { outcome, content } = await jobs.run(
    spec('link_transcribe', '/clip.mp4', { transcript_format: 'srt' }),
  )
  expect(String(outcome.body.text)).toMatch(/young man/)
  expect(content.toString()).toMatch(/^1\n00:00:0/)
})

test('link_captions burns captions into the video', { tags: ['extended'] }, async () => {
  const { outcome, path } = await jobs.run(spec('link_captions', '/clip.mp4', { style: 'boxed' }))
  expect(outcome.body).toMatchObject({ format: 'mp4', encode_mode: 'encode', width: 160, height: 90 })
  expect(Number(outcome.body.subtitles)).toBeGreaterThan(0)
  expect((await inspect(path)).streams.map(({ codec_name }) => codec_name)).toEqual(['h264', 'aac'])
})

describe('refused links', { tags: ['extended'] }, () => {
  test.each([
    ['/two', /several videos/],
    ['/nothing', /no video was found/],
    ['/missing', /does not exist/],
    ['/local.m3u8', /could not be downloaded/],
    ['/song.mp3', /audio only, no video/],
  ])('%s', async (path, reason) => {
    expect(await jobs.fail(spec('download_video', path))).toMatch(reason)
  })

  test('disables all but link_info until the operator enables downloads', async () => {
    const closed = await startJobRunner({ ALLOW_PRIVATE_SOURCES: 'true' })
    for (const key of [
      'download_video',
      'download_audio',
      'download_thumbnail',
      'link_transcribe',
      'link_captions',
    ]) {
      expect(await closed.fail(spec(key, '/page'))).toContain(`${key} is disabled on this server.`)
    }
    await closed.close()
  })

  test('refuses a link over the length limit', async () => {
    const short = await startJobRunner({ ...OPEN, MAX_DURATION_SEC: '1', MEDIA_MAX_DURATION_SEC: '2' })
    expect(await short.fail(spec('link_transcribe', '/clip.mp4'))).toMatch(
      /processing a link allows up to 1 s/,
    )
    expect(await short.fail(spec('download_video', '/clip.mp4'))).toMatch(/a download allows up to 2 s/)
    await short.close()
  })

  test('refuses a link over the size limit', async () => {
    const small = await startJobRunner({ ...OPEN, INPUT_BYTES_MAX: '20000' })
    for (const path of ['/clip.mp4', '/media.m3u8']) {
      expect(await small.fail(spec('download_video', path))).toMatch(/exceeds the maximum download size/)
    }
    await small.close()
  })
})

describe('while the guard against private addresses is active', () => {
  let guarded: JobRunner
  beforeAll(async () => {
    guarded = await startJobRunner({ MEDIA_FETCH_ENABLED: 'true' })
  })
  afterAll(() => guarded.close())

  const smuggled = (headers: object) =>
    `#__youtubedl_smuggle=${encodeURIComponent(JSON.stringify({ http_headers: headers }))}`

  // Other spellings and addresses are covered in media-backend/link/proxy.test.ts.
  test('sends no request to an address of this machine', async () => {
    const before = site.requested_paths.length + site.trap.visits
    expect(await guarded.fail(spec('link_info', '/clip.mp4'))).toMatch(/not lead to a public/)
    expect(site.requested_paths.length + site.trap.visits).toBe(before)
  })

  test('refuses options for yt-dlp smuggled into a URL', async () => {
    const url = `${site.url}/clip.mp4${smuggled({ 'Ytdl-request-proxy': '__noproxy__' })}`
    expect(await guarded.fail(spec('link_info', url))).toMatch(/downloader options/)
  })
})

test.each(['/to-ftp'])('refuses %s even if the guard is disabled', async (path) => {
  expect(await jobs.fail(spec('link_info', path))).toMatch(/could not be downloaded/)
  expect(site.trap.visits).toBe(0)
})
