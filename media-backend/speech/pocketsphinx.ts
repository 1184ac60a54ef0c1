import type { Transcript, Word } from '../../shared/planning/facts.ts'
import { failWith } from '../runtime/failure.ts'
import { processLimits } from '../runtime/ffmpeg.ts'
import { runProcess } from '../runtime/process.ts'
import { watchReading } from '../runtime/reading.ts'
import type { Run } from '../runtime/run.ts'
import { measureLevels } from './levels.ts'
import { findSeams } from './seams.ts'
import type { TranscriptionRequest } from './transcription-request.ts'
import { separateUtterances, timeInAudio } from './utterances.ts'
import { mayContainSpeech } from './voice-activity.ts'

/** Minimum median confidence of speech. Clean speech is above 0.5. */
const CONFIDENCE_MEDIAN_MIN = 0.2

/**
 * Transcribes English with pocketsphinx and its default model. Splits speech without pauses into utterances,
 * because the engine returns nothing until an utterance ends.
 */
export async function transcribeWithPocketsphinx(
  { path, duration_seconds, language, task }: TranscriptionRequest,
  run: Run,
  reportProgress: (fraction: number) => void,
): Promise<Transcript> {
  if (language !== 'auto' && language !== 'en') throw failWith('speech_english_only')
  if (task === 'translate') throw failWith('speech_no_translation')
  if (!(await mayContainSpeech(path, run.signal))) return { language: 'en', words: [] }
  const seams = findSeams(await measureLevels(path, run.signal))
  const separated = seams.length === 0 ? path : await separateUtterances(path, seams, run)
  const words: Word[] = []
  let done = 0
  const reportHighest = (fraction: number) => {
    done = Math.max(done, Math.min(1, fraction))
    reportProgress(done)
  }
  const listening = new AbortController()
  let reading = Promise.resolve()
  const result = await runProcess(
    'pocketsphinx_continuous',
    ['-infile', separated, '-time', 'yes', '-logfn', '/dev/null'],
    {
      limits: processLimits(run.environment),
      folder: run.folder,
      signal: run.signal,
      onStart(pid) {
        reading = watchReading(pid, separated, listening.signal, reportHighest)
      },
      // Words are printed only at pauses. They drive the progress on systems where reading cannot be watched.
      onLine(line) {
        const recognized = readWord(line)
        if (recognized === null) return
        const word = {
          ...recognized,
          start: timeInAudio(recognized.start, seams),
          end: timeInAudio(recognized.end, seams),
        }
        // Words recognized within an inserted silence were never spoken.
        if (word.text !== '' && word.end > word.start) words.push(word)
        if (duration_seconds > 0) reportHighest(word.end / duration_seconds)
      },
    },
  ).finally(() => {
    listening.abort()
    return reading
  })
  if (result.code !== 0) {
    throw new Error(`pocketsphinx ended by ${result.ended_by ?? result.code}: ${result.stderr.slice(-500)}`)
  }
  return { language: 'en', words: isLikelySpeech(words) ? words : [] }
}

/** Checks the median confidence, because the engine also recognizes words in music, with low confidence. */
export function isLikelySpeech(words: readonly Word[]): boolean {
  const confidences = words.map(({ confidence }) => confidence ?? 1).sort((one, other) => one - other)
  return (confidences[Math.floor(confidences.length / 2)] ?? 0) >= CONFIDENCE_MEDIAN_MIN
}

const LINE = /^(\S+) (\d+\.\d+) (\d+\.\d+) (\d+\.\d+)$/
/** Matches silence, noise and utterance boundaries, which the engine prints like words. */
const NO_WORD = /^(<.*>|\[.*\]|\+\+.*\+\+)$/

/**
 * Parses a line like "and(2) 0.150 0.360 0.260057". The text is empty for silence and noise. Returns null for other
 * lines.
 */
export function readWord(line: string): Word | null {
  const [, name, start, end, confidence] = LINE.exec(line) ?? []
  if (name === undefined) return null
  return {
    text: NO_WORD.test(name) ? '' : writtenWord(name),
    start: Number(start),
    // The engine prints a word's first and last hundredth of a second, so the word ends one hundredth later.
    end: Math.round(Number(end) * 100 + 1) / 100,
    confidence: Number(confidence),
  }
}

/** Removes the pronunciation number and capitalizes "I", because the model is lowercase. */
function writtenWord(name: string): string {
  return name.replace(/\(\d+\)$/, '').replace(/^i(?=$|')/, 'I')
}
