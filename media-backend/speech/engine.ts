import type { Transcript } from '../../shared/planning/facts.ts'
import type { Run } from '../job/job.ts'
import { listenWithPocketsphinx } from './pocketsphinx.ts'
import { listenWithWhisper } from './whisper.ts'

/** What is to be heard in a wav of extractSpeech. */
export interface Listening {
  path: string
  duration_seconds: number
  /** ISO 639-1, or auto. */
  language: string
  task: 'transcribe' | 'translate'
  quality: 'fast' | 'balanced' | 'accurate'
}

/**
 * Hears the words of a sound file and tells how much of it is done, 0 to 1. Two engines stand behind
 * this: whisper.cpp where the operator gives a folder of models, else pocketsphinx, which knows English.
 * @throws JobFailure for a language or a task that the engine doesn't know; Error when it is not set up.
 */
export function listen(order: Listening, run: Run, tellDone: (share: number) => void): Promise<Transcript> {
  const models = run.environment.WHISPER_MODELS_DIRECTORY
  return models === undefined
    ? listenWithPocketsphinx(order, run, tellDone)
    : listenWithWhisper(order, models, run, tellDone)
}
