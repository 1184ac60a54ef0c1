import type { Expected } from './jobs.ts'
import { findLag, readEnergy, readSamples, SAMPLE_RATE } from './read-audio.ts'
import type { Reading } from './read-file.ts'

const LEVEL_TOLERANCE_DB = 0.5
/** Time stretching overlaps waveforms. Where they do not match, the level of noise drops. */
const STRETCHED_TOLERANCE_DB = 1.5
/** In shorter clips, the first and last samples dominate the level. */
const LEVEL_SECONDS_MIN = 1
const LAG_SECONDS_MAX = 0.4
const WINDOW_SECONDS = 15

/** Checks that the audio has the same level as the source and is in sync with it to within one video frame. */
export async function compareAudio(source: Reading, result: Reading, expected: Expected): Promise<string[]> {
  if (expected.audio !== 'same' || source.audio === null || result.audio === null) return []
  const level = await compareLevel(source, result, expected)
  return expected.factor === 1 ? [...level, ...(await compareTimes(source, result, expected))] : level
}

async function compareLevel(source: Reading, result: Reading, expected: Expected): Promise<string[]> {
  const { channels = 2, start_seconds = 0, end_seconds = 0 } = result.audio ?? {}
  if (end_seconds - start_seconds < LEVEL_SECONDS_MIN) return []
  const before = await readEnergy(source, expected, channels)
  const after = await readEnergy(result, { start_seconds: 0, seconds: null }, channels)
  if (before === null || after === null)
    return before === after ? [] : [`audio of the ${after === null ? 'result' : 'source'} is silent`]
  const difference = after + 10 * Math.log10(expected.factor) - before
  const tolerance = expected.factor === 1 ? LEVEL_TOLERANCE_DB : STRETCHED_TOLERANCE_DB
  return Math.abs(difference) > tolerance ? [`audio level differs by ${difference.toFixed(2)} dB`] : []
}

async function compareTimes(source: Reading, result: Reading, expected: Expected): Promise<string[]> {
  const before = await readSamples(source, expected)
  const after = await readSamples(result, { start_seconds: 0, seconds: null })
  const frame = 1 / Math.min(60, source.video?.frames_per_second ?? 25)
  // A packet that decoders discard can count as the start of the file. Everything is then late by the same amount.
  const video_lag = (result.video?.times[0] ?? 0) - (source.video?.times[0] ?? 0)
  const window = WINDOW_SECONDS * SAMPLE_RATE
  const starts = [0, Math.max(0, Math.min(before.length, after.length) - window)]
  for (const start of new Set(starts)) {
    const parts = [before, after].map((samples) => samples.subarray(start, start + window))
    const [one = before, other = after] = parts
    const lag = findLag(one, other, LAG_SECONDS_MAX)
    if (lag !== null && Math.abs(lag) > frame && Math.abs(lag - video_lag) > frame)
      return [`audio is ${lag.toFixed(3)} s late around ${(start / SAMPLE_RATE).toFixed(1)} s`]
  }
  return []
}
