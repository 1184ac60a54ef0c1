import type { Run } from '../../runtime/run.ts'
import { BLOCK_BYTES } from '../../storage/parts.ts'
import { readBlock } from '../bytes/blocks.ts'
import { type Clock, isTransport, programClocks, transportClocks } from './clock.ts'

/** A clock that stands between two of them and is shorter goes unseen. */
const PIECES = { by_ranges: 32, in_folder: 512 }
/** A tenth of a second, in which a clock must come, of the densest broadcast. */
const SEARCHED_BLOCKS = (512 * 1024) / BLOCK_BYTES

const READERS: Partial<Record<string, (bytes: Buffer, program: number | null) => Clock[]>> = {
  mpegts: transportClocks,
  mpeg: programClocks,
}

/** Whether the container carries the clock of a broadcast, which starts anywhere. */
export function hasBroadcastClock({ container }: { container: string }): boolean {
  return READERS[container] !== undefined
}

export async function isTransportStream(path: string, run: Run): Promise<boolean> {
  return isTransport(await readBlock(0, path, run))
}

/** The clocks in pieces from all over a stream without an index, in seconds; none of other files. */
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
    // What is left of the file without any is then missing in the length that they tell.
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
