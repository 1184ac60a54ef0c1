import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { MediaProbe } from '../../shared/planning/facts.ts'
import { parseEnvironment } from '../environment.ts'
import { failWith } from '../runtime/failure.ts'
import { box, element, number32, replaceBoxes } from '../testing/boxes.ts'
import { makeClip } from '../testing/clips.ts'
import { carryOut } from '../testing/operate.ts'
import { readTones } from '../testing/tones.ts'
import { probeVideo } from './probe.ts'
import { explainFailure } from './support.ts'

async function probeBytes(content: Buffer): Promise<MediaProbe> {
  const folder = await mkdtemp(join(tmpdir(), 'fleet-support-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const path = join(folder, 'clip')
  await writeFile(path, content)
  const addresses = { EDGE_URL: 'http://127.0.0.1', FLEET_KEYS: 'YWFh', S3_ENDPOINT: 'http://127.0.0.1' }
  const environment = parseEnvironment({ ...addresses, S3_ACCESS_KEY_ID: 'a', S3_SECRET_ACCESS_KEY: 'b' })
  return probeVideo(path, { folder, environment, signal: new AbortController().signal })
}

const SOURCES = [
  ...['-f', 'lavfi', '-i', 'testsrc2=duration=2:size=160x90:rate=25'],
  ...['-f', 'lavfi', '-i', 'sine=frequency=440:duration=2'],
]
const CODECS = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac']
const clip = (name: string, ...options: string[]) => makeClip(name, [...SOURCES, ...CODECS, ...options])

/** Renames boxes, given their four-character types. */
function rename(file: Buffer, from: string, to: string): Buffer {
  const renamed = Buffer.from(file)
  for (let at = renamed.indexOf(from); at !== -1; at = renamed.indexOf(from, at + 4))
    renamed.write(to, at, 'latin1')
  return renamed
}

const KEYS = [
  ...['-encryption_scheme', 'cenc-aes-ctr', '-encryption_key', '00112233445566778899aabbccddeeff'],
  ...['-encryption_kid', '112233445566778899aabbccddeeff00'],
]

/** Makes a Matroska file whose first track is marked as encrypted. The mark replaces the track's name. */
async function encryptedMatroska(): Promise<Buffer> {
  const name = 'a name that leaves room for the encryption of the track: '.padEnd(120, '.')
  const file = await clip('named.mkv', '-metadata:s:v', `title=${name}`)
  const encryption = element(0x5035, element(0x47e1, '\x05'), element(0x47e2, Buffer.alloc(16, 7)))
  const encodings = element(0x6d80, element(0x6240, element(0x5033, '\x01'), encryption))
  const at = file.indexOf(name) - 3
  const rest = 3 + name.length - encodings.length
  encodings.copy(file, at)
  file.set([VOID, 0x80 | (rest - 2)], at + encodings.length)
  return file
}
const VOID = 0xec

test.each([
  ['an MP4 with its index at the end', () => clip('protected.mp4', ...KEYS)],
  ['an MP4 with its index at the start', () => clip('protected.mp4', ...KEYS, '-movflags', '+faststart')],
  ['audio of an old music store', async () => rename(await clip('store.mp4'), 'mp4a', 'drms')],
  ['a Matroska file', encryptedMatroska],
] as const)('the error names the protection of %s', async (_, make) => {
  await expect(probeBytes(await make())).rejects.toMatchObject({
    error_code: 'input_unreadable',
    message: expect.stringContaining('protected'),
  })
})

test('the error names a video codec without a decoder', async () => {
  const file = rename(await clip('plain.mp4'), 'avc1', 'dav1')
  await expect(probeBytes(file)).rejects.toMatchObject({
    error_code: 'input_unreadable',
    message:
      'The video is encoded as Dolby Vision, which is not supported. Convert it to a common codec first.',
  })
})

test('the error names an audio codec without a decoder if a step fails because of it', async () => {
  const probe = await probeBytes(rename(await clip('dolby.mp4', '-c:a', 'ac3'), 'ac-3', 'ac-4'))
  expect(probe.audio).toMatchObject([{ unsupported: 'Dolby AC-4' }])
  const failure = failWith('media_failed')
  expect(explainFailure(failure, { probe })).toMatchObject({
    error_code: 'input_unreadable',
    message: expect.stringContaining('Dolby AC-4'),
  })
  const limit = failWith('time_limit')
  expect(explainFailure(limit, { probe })).toBe(limit)
  expect(explainFailure(failure, { probe: await probeBytes(await clip('plain.mp4')) })).toBe(failure)
})

/** Makes a movie with mono float PCM (ISO/IEC 23003-5), which ffmpeg 5.1 neither writes nor reads. */
async function floatPcmClip(): Promise<Buffer> {
  const file = await clip('float.mov', '-c:a', 'pcm_f32le', '-ac', '1', '-ar', '48000')
  const [channels_and_bits, rate] = [(1 << 16) | 32, 48_000 << 16]
  const little_endian_32 = box('pcmC', number32(0), Buffer.from([1, 32]))
  const entry = box('fpcm', number32(0, 1, 0, 0, channels_and_bits, 0, rate), little_endian_32)
  return replaceBoxes(file, 'stsd', (body) =>
    box('stsd', ...(body.includes('fl32') ? [number32(0, 1), entry] : [body])),
  )
}

test('reads float PCM in an MP4, or names it as unsupported if this ffmpeg cannot', async () => {
  const content = await floatPcmClip()
  const [track] = (await probeBytes(content)).audio
  const extract = carryOut(content, ['extract_audio'])
  if (track?.codec === 'pcm_f32le') {
    const level = await readTones((await extract).path)
    expect(level(440, 0.5, 1.5)).toBeGreaterThan(-30)
  } else {
    expect(track).toMatchObject({ unsupported: 'PCM in MP4 (ISO/IEC 23003-5)' })
    await expect(extract).rejects.toMatchObject({ error_code: 'processing_failed' })
  }
})

/** Makes a movie with mono 24-bit PCM (ISO/IEC 23003-5), which ffmpeg 5.1 misreads as 16-bit. */
async function integerPcmClip(): Promise<Buffer> {
  const file = await clip('integer.mov', '-c:a', 'pcm_s24le', '-ac', '1', '-ar', '48000')
  const [channels_and_bits, rate] = [(1 << 16) | 16, 48_000 << 16]
  const little_endian_24 = box('pcmC', number32(0), Buffer.from([1, 24]))
  const entry = box('ipcm', number32(0, 1, 0, 0, channels_and_bits, 0, rate), little_endian_24)
  return replaceBoxes(file, 'stsd', (body) =>
    box('stsd', ...(body.includes('in24') ? [number32(0, 1), entry] : [body])),
  )
}

test('reads 24-bit PCM in an MP4, or names it as unsupported if this ffmpeg misreads it', async () => {
  const content = await integerPcmClip()
  const audio = await probeBytes(content).then(
    (probe) => probe.audio,
    (error) => error,
  )
  if (Array.isArray(audio)) {
    expect(audio).toMatchObject([{ codec: 'pcm_s24le' }])
    const level = await readTones((await carryOut(content, ['extract_audio'])).path)
    expect(level(440, 0.5, 1.5)).toBeGreaterThan(-30)
  } else {
    expect(audio).toMatchObject({
      error_code: 'input_unreadable',
      message: expect.stringContaining('PCM in MP4'),
    })
  }
})

test('measures a fragmented MP4 whose tracks declare no duration by its packets', async () => {
  const file = await clip('fragmented.mp4', '-movflags', 'frag_keyframe+empty_moov')
  for (let at = file.indexOf('mdhd'); at !== -1; at = file.indexOf('mdhd', at + 4)) {
    // In version 0, the flags, two times and the timescale precede the duration.
    file.writeUInt32BE(0xffffffff, at + 20)
  }
  const { duration_seconds } = await probeBytes(file)
  expect(Math.abs(duration_seconds - 2)).toBeLessThan(0.2)
})
