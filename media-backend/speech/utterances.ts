import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { fileIn } from '../runtime/folder.ts'
import type { Run } from '../runtime/run.ts'
import { HEADER_BYTES, SAMPLES_PER_SECOND } from './audio.ts'

export const UTTERANCES_FILE = 'utterances.raw'
/** After half a second of it the engine takes an utterance for ended. */
export const SILENCE_SECONDS = 0.8

/**
 * Copies the samples of a wav of extractSpeech with silence let in at each seam (seconds, growing), so that
 * the engine hears utterances there; nothing of the sound is left out. It tells where the copy is.
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

/** Where in the sound a moment of its separated copy lies; all of a silence that was let in lies at its seam. */
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
