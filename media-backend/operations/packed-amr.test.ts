/** @module-tag extended */

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { measureLoudness } from '../probe/audio/loudness.ts'
import { extractSpeech } from '../speech/audio.ts'
import { measureLevels } from '../speech/levels.ts'
import { carryOut, type JobSpec } from '../testing/operate.ts'
import { packedAmrClip } from '../testing/packed-amr.ts'

const execute = promisify(execFile)

const WINDOW_SAMPLES = 160

/** Returns the peak level of each 20 ms of decoded audio. */
async function readPeaks(path: string): Promise<number[]> {
  const pcm = ['-af', 'aresample=async=1:first_pts=0', '-ac', '1', '-ar', '8000', '-f', 's16le', '-']
  const { stdout } = await execute('ffmpeg', ['-v', 'error', '-i', path, '-map', '0:a:0', ...pcm], {
    encoding: 'buffer',
  })
  const samples = Array.from({ length: stdout.length / 2 }, (_, at) => Math.abs(stdout.readInt16LE(2 * at)))
  return Array.from({ length: Math.floor(samples.length / WINDOW_SAMPLES) }, (_, window) =>
    Math.max(...samples.slice(window * WINDOW_SAMPLES, (window + 1) * WINDOW_SAMPLES)),
  )
}

async function audibleSeconds(path: string): Promise<number> {
  return (await readPeaks(path)).filter(isAudible).length / 50
}

function isAudible(peak: number): boolean {
  return peak > 30
}

describe.each(['amr_nb', 'amr_wb'] as const)('a 3GP clip with ten %s frames per sample', (kind) => {
  test.each<[JobSpec, number]>([
    [['compress'], 4],
    [['extract_audio'], 4],
    [['trim', { duration: 2 }], 2],
    [['trim', { start: 1, duration: 2 }], 2],
    [['strip_metadata'], 4],
  ])('keeps its audio in %j', async (spec, seconds) => {
    const { path } = await carryOut(await packedAmrClip(kind, 4, 10), spec)
    expect(Math.abs((await audibleSeconds(path)) - seconds)).toBeLessThan(0.3)
  })

  test('keeps late audio in sync with the video', async () => {
    const { path } = await carryOut(
      await packedAmrClip(kind, 4, 10, { start_seconds: 2 }),
      ['compress'],
      ['flip'],
    )
    expect(Math.abs((await audibleSeconds(path)) - 4)).toBeLessThan(0.3)
    expect(Math.abs((await readPeaks(path)).findIndex(isAudible) / 50 - 2)).toBeLessThan(0.2)
  })

  test('keeps its audio if the header counts single frames', async () => {
    const clip = await packedAmrClip(kind, 4, 50, { counts: 'frames' })
    for (const spec of [['extract_audio'], ['faststart']] satisfies JobSpec[]) {
      const { path } = await carryOut(clip, spec)
      expect(Math.abs((await audibleSeconds(path)) - 4), spec[0]).toBeLessThan(0.3)
    }
  })

  test('is completely measured and transcribed', async () => {
    const { input, run } = await carryOut(await packedAmrClip(kind, 4, 10), ['thumbnail'])
    const [track] = input.audio
    if (track === undefined) throw new Error('the clip has no audio')
    const levels = await measureLevels(await extractSpeech(track, run), run.signal)
    expect(levels.filter((level) => level > -60).length / levels.length).toBeGreaterThan(0.9)
    const [loudness] = await measureLoudness(input, {}, run, () => {})
    expect(loudness?.source_lufs).toBeGreaterThan(-40)
  })
})
