import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { fileIn } from '../runtime/folder.ts'
import type { Run } from '../runtime/run.ts'
import { HEADER_BYTES, SAMPLES_PER_SECOND } from './audio.ts'

export const UTTERANCES_FILE = 'utterances.raw'
/** Length of an inserted silence. The engine ends an utterance after half a second of silence. */
export const SILENCE_SECONDS = 0.8

/**
 * Copies the samples of a WAV written by extractSpeech and inserts silence at each seam, so the engine starts a new
 * utterance there. Keeps all audio.
 * @param seams positions in seconds, in ascending order.
 * @returns the path of the copy.
 */
export async function separateUtterances(path: string, seams: readonly number[], run: Run): Promise<string> {
  const separated = fileIn(run.folder, UTTERANCES_FILE)
  const silence = Buffer.alloc(bytesAt(SILENCE_SECONDS))
  const file = await open(separated, 'w')
  try {
    for (const [index, seam] of [...seams, Number.POSITIVE_INFINITY].entries()) {
      const start = HEADER_BYTES + bytesAt(seams[index - 1] ?? 0)
      const end = HEADER_BYTES + bytesAt(seam) - 1
      for await (const chunk of createReadStream(path, { start, end })) {
        run.signal.throwIfAborted()
        await file.writeFile(chunk as Buffer)
      }
      if (index < seams.length) await file.writeFile(silence)
    }
  } finally {
    await file.close()
  }
  return separated
}

/** Converts a time in the copy to a time in the original audio. Any time in an inserted silence maps to its seam. */
export function timeInAudio(seconds: number, seams: readonly number[]): number {
  let before = 0
  for (const seam of seams) {
    if (seconds <= seam + before) break
    before += Math.min(SILENCE_SECONDS, seconds - seam - before)
  }
  return Math.round((seconds - before) * 1000) / 1000
}

function bytesAt(seconds: number): number {
  return Math.round(seconds * SAMPLES_PER_SECOND) * 2
}
