import { createRequire } from 'node:module'
import { z } from 'zod'
import { Piece, WhisperRequest } from './whisper-lines.ts'

/** Started by whisper.ts: loads one model, listens to one file and tells it in lines of JSON. */

/** What of the native module is used here: https://github.com/mybigday/whisper.node */
interface WhisperContext {
  transcribeFile(path: string, options: Record<string, unknown>): { promise: Promise<unknown> }
}
interface WhisperModule {
  /** Loads the model before it returns, and throws where it is none. */
  WhisperContext: new (options: {
    filePath: string
    useGpu: boolean
  }) => WhisperContext
}

const Result = z.object({
  language: z.string().optional(),
  result: z.string(),
  /** Times in milliseconds; none where there is no sound at all. */
  segments: z.array(Piece),
})

const request = WhisperRequest.parse(JSON.parse(process.argv[2] ?? ''))
const require = createRequire(import.meta.url)
// The package for the processor alone: those for graphic cards weigh 250 MB.
const module = require(`@fugood/node-whisper-${process.platform}-${process.arch}`) as WhisperModule
const context = new module.WhisperContext({ filePath: request.model, useGpu: false })
const { promise } = context.transcribeFile(request.path, {
  language: request.language,
  translate: request.translate,
  maxThreads: request.threads,
  // Segments of one piece of a word each, which is how the times of words are had.
  tokenTimestamps: true,
  maxLen: 1,
  onProgress: (progress: number) => printLine({ progress }),
})
const { language, result, segments } = Result.parse(await promise)
printLine({ language, text: result, pieces: segments })

function printLine(line: Record<string, unknown>): void {
  process.stdout.write(`${JSON.stringify(line)}\n`)
}
