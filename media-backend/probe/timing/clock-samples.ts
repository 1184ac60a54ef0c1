import type { Run } from '../../runtime/run.ts'
import { BLOCK_BYTES } from '../../storage/parts.ts'
import { readBlock } from '../bytes/blocks.ts'
import { type Clock, isTransport, programClocks, transportClocks } from './clock.ts'

/** Number of samples. A clock that restarts between two samples may be missed. */
const PIECES = { by_ranges: 32, in_folder: 512 }
/**
 * Number of blocks to search. They span a tenth of a second of the densest broadcast, which always contains a
 * clock.
 */
const SEARCHED_BLOCKS = (512 * 1024) / BLOCK_BYTES

const READERS: Partial<Record<string, (bytes: Buffer, program: number | null) => Clock[]>> = {
  mpegts: transportClocks,
  mpeg: programClocks,
}

/** Checks whether a container carries a broadcast clock, which may start at any time. */
export function hasBroadcastClock({ container }: { container: string }): boolean {
  return READERS[container] !== undefined
}

export async function isTransportStream(path: string, run: Run): Promise<boolean> {
  return isTransport(await readBlock(0, path, run))
}

/**
 * Reads clocks, in seconds, from samples spread across a stream without an index. Returns an empty list for other
 * files.
 */
export async function sampleClocks(
  path: string,
  { container, size_bytes = 0 }: { container: string; size_bytes?: number },
  run: Run,
): Promise<number[][]> {
  const read = READERS[container]
  if (read === undefined) return []
  const pieces: Clock[][] = []
  const blocks = Math.ceil(size_bytes / BLOCK_BYTES)
  const count = Math.min(blocks, run.source_url === undefined ? PIECES.in_folder : PIECES.by_ranges)
  for (let number = 0; number < count; number += 1) {
    const block = Math.floor((number * (blocks - 1)) / Math.max(1, count - 1))
    const program = pieces[0]?.[0]?.program ?? null
    const piece = await readClocksFrom(block, (bytes) => read(bytes, program), path, run)
    // If the rest of the file has no clocks, the measured duration differs from the declared one.
    if (piece.length === 0) break
    pieces.push(piece)
  }
  return pieces.map((piece) => piece.map(({ seconds }) => seconds))
}

async function readClocksFrom(
  first_block: number,
  read: (bytes: Buffer) => Clock[],
  path: string,
  run: Run,
): Promise<Clock[]> {
  for (let block = first_block; block < first_block + SEARCHED_BLOCKS; block += 1) {
    const bytes = await readBlock(block * BLOCK_BYTES, path, run)
    const clocks = read(bytes)
    if (clocks.length > 0 || bytes.length < BLOCK_BYTES) return clocks
  }
  return []
}
