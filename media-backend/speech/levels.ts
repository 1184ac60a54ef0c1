import { createReadStream } from 'node:fs'
import { WINDOW_SECONDS } from '../../shared/speech/silences.ts'
import { HEADER_BYTES, SAMPLES_PER_SECOND } from './audio.ts'

const WINDOW_BYTES = Math.round(WINDOW_SECONDS * SAMPLES_PER_SECOND) * 2

/**
 * Measures the level (dBFS) of each window of WINDOW_SECONDS in a WAV written by extractSpeech.
 * @throws the reason of `signal`.
 */
export async function measureLevels(path: string, signal: AbortSignal): Promise<number[]> {
  const levels: number[] = []
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of createReadStream(path, { start: HEADER_BYTES })) {
    signal.throwIfAborted()
    const bytes = Buffer.concat([rest, chunk as Buffer])
    let at = 0
    for (; at + WINDOW_BYTES <= bytes.length; at += WINDOW_BYTES) levels.push(levelOf(bytes, at))
    rest = bytes.subarray(at)
  }
  return levels
}

function levelOf(bytes: Buffer, from: number): number {
  let sum = 0
  for (let at = from; at < from + WINDOW_BYTES; at += 2) sum += bytes.readInt16LE(at) ** 2
  const mean = sum / (WINDOW_BYTES / 2)
  return 10 * Math.log10(Math.max(mean, 0.1) / 32768 ** 2)
}
