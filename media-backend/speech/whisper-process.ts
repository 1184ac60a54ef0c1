import { createRequire } from 'node:module'
import { z } from 'zod'
import { Piece, WhisperRequest } from './whisper-lines.ts'

/** Loads one model, transcribes one file and prints the result as lines of JSON. Started by whisper.ts. */

/** The parts of the native module that this program uses: https://github.com/mybigday/whisper.node */
interface WhisperContext {
  transcribeFile(path: string, options: Record<string, unknown>): { promise: Promise<unknown> }
}
interface WhisperModule {
  /** Loads the model synchronously. Throws if the model is invalid. */
  WhisperContext: new (options: {
    filePath: string
    useGpu: boolean
  }) => WhisperContext
}

const Result = z.object({
  language: z.string().optional(),
  result: z.string(),
  /** Times are in milliseconds. Empty if there is no audio. */
  segments: z.array(Piece),
})

const request = WhisperRequest.parse(JSON.parse(process.argv[2] ?? ''))
const require = createRequire(import.meta.url)
// Uses the CPU package, because the GPU packages take 250 MB.
const module = require(`@fugood/node-whisper-${process.platform}-${process.arch}`) as WhisperModule
const context = new module.WhisperContext({ filePath: request.model, useGpu: false })
const { promise } = context.transcribeFile(request.path, {
  language: request.language,
  translate: request.translate,
  maxThreads: request.threads,
  // Each segment contains a single piece, which provides the times of words.
  tokenTimestamps: true,
  maxLen: 1,
  onProgress: (progress: number) => printLine({ progress }),
})
const { language, result, segments } = Result.parse(await promise)
printLine({ language, text: result, pieces: segments })

function printLine(line: Record<string, unknown>): void {
  process.stdout.write(`${JSON.stringify(line)}\n`)
}
