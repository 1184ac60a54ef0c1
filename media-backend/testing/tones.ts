import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

const RATE = 16_000
/**
 * Number of samples in a block. It contains whole periods of all tones at multiples of 20 Hz, so they do not
 * interfere.
 */
const BLOCK = RATE / 20

/** Measures the level of a tone in a time range, as RMS in dBFS. */
export type ToneLevel = (hertz: number, start: number, end: number) => number

/** Decodes the first audio track of a file once, for all measurements. */
export async function readTones(path: string): Promise<ToneLevel> {
  const pcm = ['-af', 'aresample=async=1:first_pts=0', '-ac', '1', '-ar', String(RATE), '-f', 's16le']
  const { stdout } = await run('ffmpeg', ['-v', 'error', '-i', path, '-map', '0:a:0', ...pcm, '-'], {
    encoding: 'buffer',
    maxBuffer: 64 * 1024 * 1024,
  })
  return (hertz, start, end) => {
    const [first, last] = [Math.round(start * RATE), Math.min(stdout.length / 2, Math.round(end * RATE))]
    const powers: number[] = []
    for (let at = first; at + BLOCK <= last; at += BLOCK) powers.push(power(stdout, at, hertz))
    if (powers.length === 0) throw new Error(`there is no audio from ${start} s to ${end} s`)
    const mean = powers.reduce((sum, each) => sum + each, 0) / powers.length
    return 10 * Math.log10(Math.max(mean, 1e-12))
  }
}

/** Measures the power of one frequency in one block. */
function power(pcm: Buffer, first: number, hertz: number): number {
  let [cosine, sine] = [0, 0]
  for (let at = first; at < first + BLOCK; at += 1) {
    const value = pcm.readInt16LE(2 * at) / 32_768
    cosine += value * Math.cos((2 * Math.PI * hertz * at) / RATE)
    sine += value * Math.sin((2 * Math.PI * hertz * at) / RATE)
  }
  return 2 * (Math.hypot(cosine, sine) / BLOCK) ** 2
}
