/** @module-tag extended */

import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WINDOW_SECONDS } from '../../shared/speech/silences.ts'
import { parseEnvironment } from '../environment.ts'
import { monologue } from '../testing/speech.ts'
import { HEADER_BYTES } from './audio.ts'
import { transcribe } from './engine.ts'
import { measureLevels } from './levels.ts'
import { findSeams } from './seams.ts'
import { SILENCE_SECONDS, timeInAudio, UTTERANCES_FILE } from './utterances.ts'

const windows = (seconds: number) => Math.round(seconds / WINDOW_SECONDS)
const levelsOf = (...parts: [seconds: number, level: number][]) =>
  parts.flatMap(([seconds, level]) => Array<number>(windows(seconds)).fill(level))
const rounded = (seams: readonly number[]) => seams.map((seam) => Math.round(seam * 100) / 100)

describe('finding seams', () => {
  test.each([
    ['none in speech that is short enough', levelsOf([20, -20]), []],
    ['none at pauses, at which the engine splits by itself', levelsOf([18, -20], [1, -70], [18, -20]), []],
    ['at the quietest position', levelsOf([12, -20], [0.16, -30], [3, -20], [0.16, -26], [8, -20]), [12.08]],
    [
      'at a quiet position after a short closure',
      levelsOf([11, -20], [0.04, -60], [2, -20], [0.2, -30], [11, -20]),
      [13.12],
    ],
    [
      'at a quiet position of speech slightly too long',
      levelsOf([11, -20], [0.16, -40], [8.94, -20]),
      [11.08],
    ],
    ['none in an empty recording', [], []],
  ])('%s', (_name, levels, seams) => {
    expect(rounded(findSeams(levels))).toEqual(seams)
  })

  test('makes utterances of 10 to 20 s, the last one at least 8 s, at any levels', () => {
    const loud = fc.array(fc.integer({ min: -30, max: -15 }), { minLength: 1, maxLength: 5000, size: 'max' })
    fc.assert(
      fc.property(loud, (levels) => {
        const end = levels.length * WINDOW_SECONDS
        const edges = [0, ...findSeams(levels), end]
        for (const [index, edge] of edges.slice(1).entries()) {
          expect(edge - (edges[index] ?? 0)).toBeLessThanOrEqual(20 + 1e-6)
          const least = edge === end ? 8 : 10
          if (end > 20) expect(edge - (edges[index] ?? 0)).toBeGreaterThanOrEqual(least - 1e-6)
        }
      }),
      { numRuns: 50, seed: 7 },
    )
  })

  test('maps times of the separated copy to the original, and inserted silences to their seams', () => {
    const seams = [10, 20]
    const [first, second] = [10 + SILENCE_SECONDS, 20 + 2 * SILENCE_SECONDS]
    const times = [
      0,
      9.99,
      10,
      10.2,
      first,
      first + 0.5,
      20 + SILENCE_SECONDS,
      second - 0.1,
      second,
      second + 3,
    ]
    const expected = [0, 9.99, 10, 10, 10, 10.5, 20, 20, 20, 23]
    expect(times.map((seconds) => timeInAudio(seconds, seams))).toEqual(expected)
  })
})

describe('input of the engine', () => {
  const keys = { S3_ACCESS_KEY_ID: 'a', S3_SECRET_ACCESS_KEY: 'b', S3_ENDPOINT: 'http://127.0.0.1' }
  const environment = parseEnvironment({ EDGE_URL: 'http://127.0.0.1', FLEET_KEYS: 'YWFh', ...keys })
  let folder = ''
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fleet-seams-'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  test('contains all audio, with one utterance between consecutive seams', async () => {
    const path = join(folder, 'monologue.wav')
    const recording = await monologue(24)
    await writeFile(path, recording)
    const signal = new AbortController().signal
    const seams = findSeams(await measureLevels(path, signal))
    expect(seams.length).toBe(1)
    const [seam = 0] = seams
    const request = {
      path,
      duration_seconds: 24,
      language: 'en',
      task: 'transcribe',
      quality: 'fast',
    } as const
    const { words } = await transcribe(request, { folder, signal, environment }, () => undefined)
    const separated = join(folder, UTTERANCES_FILE)
    const copy = await readFile(separated)
    const edges = [0, ...seams, 24].map((seconds) => Math.round(seconds * 16_000) * 2)
    const silence = SILENCE_SECONDS * 32_000
    const parts = edges
      .slice(1)
      .map((end, index) => copy.subarray((edges[index] ?? 0) + index * silence, end + index * silence))
    expect(Buffer.concat(parts).equals(recording.subarray(HEADER_BYTES))).toBe(true)
    // Covers only a few seconds around the seam, because transcribing everything again would take too long.
    const around = join(folder, 'around.raw')
    const [from, to] = [seam - 3, seam + SILENCE_SECONDS + 3]
    await writeFile(around, copy.subarray(Math.round(from * 16_000) * 2, Math.round(to * 16_000) * 2))
    const args = ['-infile', around, '-time', 'yes', '-logfn', '/dev/null']
    const { stdout } = await promisify(execFile)('pocketsphinx_continuous', args)
    const ends = [...stdout.matchAll(/^<\/s> (\S+)/gm)].map(([, end]) => from + Number(end))
    expect(ends.some((end) => Math.abs(timeInAudio(end, seams) - seam) < 0.5)).toBe(true)
    // Returns the start of a recognized word in the original audio. The words below come after the seam.
    const received = (said: string) => words.find(({ text }) => text === said)?.start
    expect(received('woman')).toBeCloseTo(15.42, 1)
    expect(received('made')).toBeCloseTo(16.77, 1)
  }, 120_000)
})
