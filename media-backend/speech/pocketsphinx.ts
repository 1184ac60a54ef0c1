import type { Transcript, Word } from '../../shared/planning/facts.ts'
import { JobFailure } from '../runtime/failure.ts'
import { processLimits } from '../runtime/ffmpeg.ts'
import { runProcess } from '../runtime/process.ts'
import { watchReading } from '../runtime/reading.ts'
import type { Run } from '../runtime/run.ts'
import { measureLevels } from './levels.ts'
import type { TranscriptionRequest } from './listening.ts'
import { findSeams } from './seams.ts'
import { separateUtterances, timeInAudio } from './utterances.ts'

const ENGLISH_ONLY = 'language: This server transcribes English only. Use `en`.'
const NO_TRANSLATION = 'task: This server cannot translate speech. Use `transcribe`.'

/** Of clean speech it is above 0.5. */
const CONFIDENCE_MEDIAN_MIN = 0.2

/**
 * English speech by pocketsphinx and the model that comes with it. Speech without pauses is separated into
 * utterances for it: of a whole talk as one utterance it says nothing for as long as it listened.
 */
export async function transcribeWithPocketsphinx(
  { path, duration_seconds, language, task }: TranscriptionRequest,
  run: Run,
  reportProgress: (fraction: number) => void,
): Promise<Transcript> {
  if (language !== 'auto' && language !== 'en') throw new JobFailure('parameter_refused', ENGLISH_ONLY)
  if (task === 'translate') throw new JobFailure('parameter_refused', NO_TRANSLATION)
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
      // Words are told at a pause, which may be far: where reading can't be watched, they tell how far it is.
      onLine(line) {
        const recognized = readWord(line)
        if (recognized === null) return
        const word = {
          ...recognized,
          start: timeInAudio(recognized.start, seams),
          end: timeInAudio(recognized.end, seams),
        }
        // What is heard in a silence that was let in was never said.
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

/** In music the engine hears words too, but hardly believes them itself. */
export function isLikelySpeech(words: readonly Word[]): boolean {
  const confidences = words.map(({ confidence }) => confidence ?? 1).sort((one, other) => one - other)
  return (confidences[Math.floor(confidences.length / 2)] ?? 0) >= CONFIDENCE_MEDIAN_MIN
}

const LINE = /^(\S+) (\d+\.\d+) (\d+\.\d+) (\d+\.\d+)$/
/** Silence, noise and the edges of an utterance, which the engine lists as words. */
const NO_WORD = /^(<.*>|\[.*\]|\+\+.*\+\+)$/

/** "and(2) 0.150 0.360 0.260057" as a word; its text is empty for silence and noise, null for another line. */
export function readWord(line: string): Word | null {
  const [, name, start, end, confidence] = LINE.exec(line) ?? []
  if (name === undefined) return null
  return {
    text: NO_WORD.test(name) ? '' : writtenWord(name),
    start: Number(start),
    // The engine names the first and the last hundredth that a word is heard in.
    end: Math.round(Number(end) * 100 + 1) / 100,
    confidence: Number(confidence),
  }
}

/** Without the number of the pronunciation; the model knows no capitals. */
function writtenWord(name: string): string {
  return name.replace(/\(\d+\)$/, '').replace(/^i(?=$|')/, 'I')
}
