import { createRequire } from 'node:module'
import { z } from 'zod'
import { Piece, WhisperOrder } from './whisper-lines.ts'

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

const order = WhisperOrder.parse(JSON.parse(process.argv[2] ?? ''))
const require = createRequire(import.meta.url)
// The package for the processor alone: those for graphic cards weigh 250 MB.
const module = require(`@fugood/node-whisper-${process.platform}-${process.arch}`) as WhisperModule
const context = new module.WhisperContext({ filePath: order.model, useGpu: false })
const { promise } = context.transcribeFile(order.path, {
  language: order.language,
  translate: order.translate,
  maxThreads: order.threads,
  // Segments of one piece of a word each, which is how the times of words are had.
  tokenTimestamps: true,
  maxLen: 1,
  onProgress: (progress: number) => tell({ progress }),
})
const { language, result, segments } = Result.parse(await promise)
tell({ language, text: result, pieces: segments })

function tell(line: Record<string, unknown>): void {
  process.stdout.write(`${JSON.stringify(line)}\n`)
}
