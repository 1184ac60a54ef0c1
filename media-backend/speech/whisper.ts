import { readdir } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Transcript } from '../../shared/planning/facts.ts'
import { failWith } from '../runtime/failure.ts'
import { processLimits } from '../runtime/ffmpeg.ts'
import { errorText, log } from '../runtime/log.ts'
import { runProcess } from '../runtime/process.ts'
import type { Run } from '../runtime/run.ts'
import { chooseModel } from './models.ts'
import type { TranscriptionRequest } from './transcription-request.ts'
import { WhisperLine, type WhisperRequest } from './whisper-lines.ts'
import { wordsOfPieces } from './whisper-words.ts'

const PROGRAM = fileURLToPath(new URL('./whisper-process.ts', import.meta.url))

/** Transcribes any language with whisper.cpp in a child process, which isolates crashes of native code. */
export async function transcribeWithWhisper(
  request: TranscriptionRequest,
  models_directory: string,
  run: Run,
  reportProgress: (fraction: number) => void,
): Promise<Transcript> {
  const model = chooseModel(await listModels(models_directory), request)
  if (model === null) throw missingModel(request, models_directory)
  const { path, language, task } = request
  const whisper_request: WhisperRequest = {
    model: join(models_directory, model),
    path,
    language,
    translate: task === 'translate',
    threads: availableParallelism(),
  }
  let transcript: Transcript | null = null
  const result = await runProcess(process.execPath, [PROGRAM, JSON.stringify(whisper_request)], {
    limits: processLimits(run.environment),
    folder: run.folder,
    reads: [models_directory],
    signal: run.signal,
    onLine(text) {
      const line = readLine(text)
      if (line === null) return
      // The last window can extend far beyond the audio, and the engine counts all of it.
      if ('progress' in line) reportProgress(Math.min(1, line.progress / 100))
      else
        transcript = {
          language: languageOf(line.language, request),
          words: wordsOfPieces(line.text, line.pieces),
        }
    },
  })
  if (result.code === 0 && transcript !== null) return transcript
  log('whisper_failed', { model, code: result.code, stderr: errorText(result.stderr.slice(-1000)) })
  throw new Error(`whisper ended by ${result.ended_by ?? result.code} with the model ${model}`)
}

/**
 * Lists the models. A missing folder is the operator's mistake and might be fixed before the next attempt. Falling
 * back to another engine would hide the mistake.
 */
async function listModels(models_directory: string): Promise<string[]> {
  try {
    return await readdir(models_directory)
  } catch (error) {
    log('whisper_models_unreadable', { models_directory, error: errorText(error) })
    throw new Error(`cannot read the folder of whisper models: ${models_directory}`, { cause: error })
  }
}

function missingModel({ language, task }: TranscriptionRequest, models_directory: string): Error {
  log('whisper_model_missing', { models_directory, language, task })
  if (task === 'translate') return failWith('speech_no_translation')
  return new Error('no suitable whisper model in the folder')
}

function languageOf(found: string | undefined, { language, task }: TranscriptionRequest): string {
  if (task === 'translate') return 'en'
  return language === 'auto' ? found || 'und' : language
}

/** Parses a line. Returns null for other output, because native code may also print. */
function readLine(text: string): WhisperLine | null {
  try {
    return WhisperLine.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}
