import sharp from 'sharp'
import { beforeAll, expect, inject, test } from 'vitest'
import type { Client } from '../dev/client.ts'
import { openAccount } from './support/accounts.ts'
import { FULL_COLOR, MATROSKA, makeClip, rotateClip, WEBM } from './support/clips.ts'
import { makeTestFolder } from './support/folder.ts'
import { type Finished, runToResult, saveResult, upload } from './support/jobs.ts'
import { decodeFrames, describeMedia, findFrame, hashPackets, listBoxes } from './support/probe-media.ts'

const system = inject('system')
const folder = makeTestFolder()
let client: Client

/** The first test that uses a clip creates it. */
const CLIPS = {
  plain: () => makeClip(folder, { name: 'plain.mp4', seconds: 3 }),
  silent: () => makeClip(folder, { name: 'silent.mp4', seconds: 2, audio: false }),
  odd: () => makeClip(folder, { name: 'odd.mp4', seconds: 2, size: '321x181', codecs: FULL_COLOR }),
  matroska: () => makeClip(folder, { name: 'matroska.mkv', seconds: 3, codecs: MATROSKA }),
  webm: () => makeClip(folder, { name: 'webm.webm', seconds: 3, codecs: WEBM }),
  async portrait() {
    const file = await makeClip(folder, { name: 'portrait.mp4', seconds: 2 })
    await rotateClip(file)
    return file
  },
}
type ClipName = keyof typeof CLIPS
const made = new Map<ClipName, Promise<string>>()

function clip(name: ClipName): Promise<string> {
  const file = made.get(name) ?? CLIPS[name]()
  made.set(name, file)
  return file
}

beforeAll(async () => {
  expect((await describeMedia(await clip('portrait'))).video?.rotation).toBe(-90)
})

/** Runs one operation on one clip in a new account. @returns the job and the result file */
async function process(
  operation: 'compress' | 'trim' | 'thumbnail',
  name: ClipName,
  params: Record<string, unknown>,
): Promise<Finished & { file: string }> {
  client = (await openAccount(system.api_url)).client
  const file_url = await upload(client, await clip(name))
  const finished = await runToResult(client, `video/${operation}`, file_url, params)
  return { ...finished, file: await saveResult(client, finished, folder) }
}

/** Odd dimensions are reduced by one pixel to make them even. */
const COMPRESSED: [ClipName, { width: number; height: number; audio: string | null; seconds: number }][] = [
  ['plain', { width: 320, height: 180, audio: 'aac', seconds: 3 }],
  ['portrait', { width: 180, height: 320, audio: 'aac', seconds: 2 }],
  ['odd', { width: 320, height: 180, audio: 'aac', seconds: 2 }],
  ['silent', { width: 320, height: 180, audio: null, seconds: 2 }],
  ['matroska', { width: 320, height: 180, audio: 'aac', seconds: 3 }],
  ['webm', { width: 320, height: 180, audio: 'aac', seconds: 3 }],
]

test.each(COMPRESSED)(
  'compress: %s becomes an MP4 with its index first, for playback while it loads',
  { tags: ['extended'] },
  async (name, wanted) => {
    const { file, result } = await process('compress', name, { preset: 'ultrafast', crf: 28 })
    const media = await describeMedia(file)
    const { width, height } = wanted
    expect(media.video).toEqual({ codec: 'h264', width, height, pixel_format: 'yuv420p', rotation: 0 })
    expect(media.audio).toBe(wanted.audio)
    expect(media.container).toContain('mp4')
    expect(Math.abs(media.seconds - wanted.seconds)).toBeLessThan(0.1)
    const boxes = await listBoxes(file)
    expect(boxes.indexOf('moov')).toBeGreaterThan(0)
    expect(boxes.indexOf('moov')).toBeLessThan(boxes.indexOf('mdat'))
    expect(result.body).toMatchObject({ encode_mode: 'encode', width, height, format: 'mp4' })
    expect(Math.abs(Number(result.body.duration_seconds) - media.seconds)).toBeLessThan(0.01)
    expect(await decodeFrames(file)).toHaveLength(wanted.seconds * 25)
  },
)

test('compress: a stronger level makes a smaller file', async () => {
  const light = await process('compress', 'plain', { preset: 'ultrafast', level: 'light' })
  const strong = await process('compress', 'plain', { preset: 'ultrafast', level: 'strong' })
  expect(strong.result.size_bytes).toBeLessThan(light.result.size_bytes * 0.8)
})

test('trim: a precise trim returns exactly the requested frames', async () => {
  const { file, result } = await process('trim', 'plain', { start: 1.2, duration: 1 })
  expect(result.body).toMatchObject({ encode_mode: 'encode', format: 'mp4' })
  const [source, cut] = await Promise.all([clip('plain').then(decodeFrames), decodeFrames(file)])
  expect(cut.length).toBe(25)
  expect([findFrame(source, cut[0]), findFrame(source, cut[24])]).toEqual([30, 54])
  const { video, audio, seconds } = await describeMedia(file)
  expect([video?.pixel_format, audio]).toEqual(['yuv420p', 'aac'])
  expect(Math.abs(seconds - 1)).toBeLessThan(0.1)
})

const REMUXED: [ClipName, string][] = [
  ['plain', 'mp4'],
  ['portrait', 'mp4'],
  ['matroska', 'mkv'],
  ['webm', 'webm'],
]

test.each(REMUXED)(
  'trim: %s without limits keeps every packet identical',
  { tags: ['extended'] },
  async (name, format) => {
    const { file, result } = await process('trim', name, {})
    expect(result.body).toMatchObject({ encode_mode: 'remux', format })
    const source = await clip(name)
    for (const kind of ['video', 'audio'] as const) {
      expect(await hashPackets(file, kind)).toEqual(await hashPackets(source, kind))
    }
    expect((await describeMedia(file)).video).toEqual((await describeMedia(source)).video)
  },
)

test.each(REMUXED)(
  'trim: an imprecise trim of %s starts at the previous keyframe and re-encodes nothing',
  async (name, format) => {
    const { file, result } = await process('trim', name, { start: 1.5, precise: false })
    expect(result.body).toMatchObject({ encode_mode: 'remux', format })
    const source = await hashPackets(await clip(name), 'video')
    const cut = await hashPackets(file, 'video')
    const first = source.findIndex(({ hash }) => hash === cut[0]?.hash)
    // Every clip has a keyframe each second, so the last one before 1.5 s is frame 25.
    expect([first, cut[0]?.is_key]).toEqual([25, true])
    expect(cut).toEqual(source.slice(first))
  },
)

const IMAGES: [string, Record<string, unknown>, { format: string; width: number; height: number }][] = [
  ['a JPEG', { at: 1 }, { format: 'jpeg', width: 320, height: 180 }],
  ['a PNG', { at: 1, format: 'png' }, { format: 'png', width: 320, height: 180 }],
  ['a small WebP', { at: 1, format: 'webp', width: 160 }, { format: 'webp', width: 160, height: 90 }],
]

test.each(IMAGES)(
  'thumbnail: %s shows the frame at the requested timestamp',
  async (_name, params, wanted) => {
    const { file, result } = await process('thumbnail', 'plain', params)
    const { format, width, height } = await sharp(file).metadata()
    expect({ format, width, height }).toEqual(wanted)
    expect(result.body).toMatchObject(wanted)
    const [frame] = await decodeFrames(file)
    expect(findFrame(await decodeFrames(await clip('plain')), frame)).toBe(25)
  },
)

test('thumbnail: smart selection works, and a rotated clip gives an upright image', async () => {
  const { file } = await process('thumbnail', 'portrait', { smart: true })
  expect(await sharp(file).metadata()).toMatchObject({ format: 'jpeg', width: 180, height: 320 })
})
