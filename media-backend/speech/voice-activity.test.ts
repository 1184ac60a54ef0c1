import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeClip } from '../testing/clips.ts'
import { recording } from '../testing/speech.ts'
import { HEADER_BYTES, SAMPLES_PER_SECOND } from './audio.ts'
import { mayContainSpeech } from './voice-activity.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fleet-voice-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function check(content: Buffer): Promise<boolean> {
  const path = join(folder, 'speech.wav')
  await writeFile(path, content)
  return mayContainSpeech(path, new AbortController().signal)
}

/** Makes two seconds of audio from the value of each sample, from -1 to 1. */
function sound(valueAt: (seconds: number) => number): Buffer {
  const count = 2 * SAMPLES_PER_SECOND
  const bytes = Buffer.alloc(HEADER_BYTES + 2 * count)
  for (let at = 0; at < count; at += 1)
    bytes.writeInt16LE(Math.round(32767 * valueAt(at / SAMPLES_PER_SECOND)), HEADER_BYTES + 2 * at)
  return bytes
}

const tone = (hertz: number, seconds: number) => Math.sin(2 * Math.PI * hertz * seconds)

test.each([
  ['silence', () => 0],
  ['a tone', (at: number) => 0.5 * tone(440, at)],
  ['two tones', (at: number) => 0.2 * tone(697, at) + 0.2 * tone(1209, at)],
  ['beeps', (at: number) => (at % 0.5 < 0.2 ? 0.5 * tone(880, at) : 0)],
  ['square beeps', (at: number) => (at % 0.5 < 0.2 ? 0.3 * Math.sign(tone(700, at)) : 0)],
  ['ticks', (at: number) => (at % 0.25 < 0.02 ? 0.5 * tone(1000, at) : 0)],
  ['a hum', (at: number) => 0.3 * tone(50, at) + 0.1 * tone(100, at)],
] as const)('%s contains no speech', async (_, valueAt) => {
  expect(await check(sound(valueAt))).toBe(false)
})

test('encoded beeps contain no speech', { tags: ['extended'] }, async () => {
  const beeps = "aevalsrc='0.5*sin(2*PI*880*t)*lt(mod(t,1),0.2)':d=3:s=48000"
  const coded = await makeClip('beeps.mp4', ['-f', 'lavfi', '-i', beeps, '-c:a', 'aac', '-b:a', '96k'])
  const path = join(folder, 'beeps.mp4')
  await writeFile(path, coded)
  const format = ['-ac', '1', '-ar', String(SAMPLES_PER_SECOND), '-c:a', 'pcm_s16le', '-bitexact']
  expect(await check(await makeClip('beeps.wav', ['-i', path, ...format]))).toBe(false)
})

test.each([0, 20, 40, 50])('speech %i dB below its recorded level may be speech', async (decibels) => {
  for (const number of ['0870', '0880', '0930']) {
    const recorded = await readFile(recording(number))
    for (let at = HEADER_BYTES; at + 1 < recorded.length; at += 2)
      recorded.writeInt16LE(Math.round(recorded.readInt16LE(at) * 10 ** (-decibels / 20)), at)
    expect(await check(recorded)).toBe(true)
  }
})

test('speech over a louder tone may be speech', async () => {
  const recorded = await readFile(recording('0930'))
  for (let at = HEADER_BYTES; at + 1 < recorded.length; at += 2)
    recorded.writeInt16LE(Math.round(recorded.readInt16LE(at) * 0.1 + 6000 * tone(440, at / 32_000)), at)
  expect(await check(recorded)).toBe(true)
})
