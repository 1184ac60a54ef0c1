import { z } from 'zod'

/** The request to the whisper process, passed as its only argument. */
export const WhisperRequest = z.object({
  model: z.string(),
  path: z.string(),
  /** An ISO 639-1 code, or auto. */
  language: z.string(),
  translate: z.boolean(),
  threads: z.int(),
})
export type WhisperRequest = z.infer<typeof WhisperRequest>

/** A part of a word, with its leading space. The times are in milliseconds. */
export const Piece = z.object({ text: z.string(), t0: z.number(), t1: z.number() })
export type Piece = z.infer<typeof Piece>

/** One line of JSON from the process: the progress in percent or, at the end, the transcript. */
export const WhisperLine = z.union([
  z.object({ progress: z.number() }),
  z.object({ language: z.string().optional(), text: z.string(), pieces: z.array(Piece) }),
])
export type WhisperLine = z.infer<typeof WhisperLine>
