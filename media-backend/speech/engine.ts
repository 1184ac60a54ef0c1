import type { Transcript } from '../../shared/planning/facts.ts'
import type { Run } from '../runtime/run.ts'
import type { TranscriptionRequest } from './listening.ts'
import { transcribeWithPocketsphinx } from './pocketsphinx.ts'
import { transcribeWithWhisper } from './whisper.ts'

/**
 * Hears the words of a sound file and tells how much of it is done, 0 to 1. Two engines stand behind
 * this: whisper.cpp where the operator gives a folder of models, else pocketsphinx, which knows English.
 * @throws JobFailure for a language or a task that the engine doesn't know; Error when it is not set up.
 */
export function transcribe(
  request: TranscriptionRequest,
  run: Run,
  reportProgress: (fraction: number) => void,
): Promise<Transcript> {
  const models = run.environment.WHISPER_MODELS_DIRECTORY
  return models === undefined
    ? transcribeWithPocketsphinx(request, run, reportProgress)
    : transcribeWithWhisper(request, models, run, reportProgress)
}
