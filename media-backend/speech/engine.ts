import type { Transcript } from '../../shared/planning/facts.ts'
import type { Run } from '../runtime/run.ts'
import { transcribeWithPocketsphinx } from './pocketsphinx.ts'
import type { TranscriptionRequest } from './transcription-request.ts'
import { transcribeWithWhisper } from './whisper.ts'

/**
 * Transcribes an audio file with whisper.cpp if the operator provides models, otherwise with pocketsphinx, which
 * supports only English.
 * @throws JobFailure for a language or task that the engine does not support; Error if the engine is not installed.
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
