import type { Run } from '../../runtime/run.ts'
import { readBlock } from '../bytes/blocks.ts'
import { type Box, type ListBoxes, openBoxes, type Range } from '../bytes/boxes.ts'

/** Size of the version and flags, which precede the fields of a table. ISO 14496-12, 8.7. */
const FLAGS_BYTES = 4
/** Limit on how much of the size table is summed. Only the sizes for one chunk are needed. */
const SUMMED_BYTES_MAX = 1024 * 1024

const TO_TABLES = ['trak', 'mdia', 'minf', 'stbl']

/**
 * Checks whether the index of an MP4 or QuickTime file points past the end of the file, as it does in a file
 * repaired after truncation. Compares the end of each track's last chunk with the file size.
 */
export async function hasSamplesBeyondEnd(size_bytes: number, path: string, run: Run): Promise<boolean> {
  const list = openBoxes(path, run)
  const read: Read = (start) => readBlock(start, path, run)
  for await (const box of list({ start: 0, end: size_bytes })) {
    if (box.type !== 'moov') continue
    for await (const tables of tablesOf(list, box, TO_TABLES))
      if ((await lastChunkEnd(tables, read)) > size_bytes) return true
  }
  return false
}

type Read = (start: number) => Promise<Buffer>
type Tables = ReadonlyMap<string, Box>

async function* tablesOf(list: ListBoxes, range: Range, path: readonly string[]): AsyncGenerator<Tables> {
  const [wanted, ...deeper] = path
  if (wanted === undefined) {
    const tables = new Map<string, Box>()
    for await (const box of list(range)) tables.set(box.type, box)
    yield tables
    return
  }
  for await (const box of list(range)) if (box.type === wanted) yield* tablesOf(list, box, deeper)
}

/** Returns the position where a track's last chunk ends, or 0 if the track has no chunks, as in a fragmented file. */
async function lastChunkEnd(tables: Tables, read: Read): Promise<number> {
  const [offsets, chunks, sizes] = [
    tables.get('stco') ?? tables.get('co64'),
    tables.get('stsc'),
    tables.get('stsz'),
  ]
  if (offsets === undefined || chunks === undefined || sizes === undefined) return 0
  const offset_bytes = offsets.type === 'co64' ? 8 : 4
  if (offsets.end - offsets.start < FLAGS_BYTES + 4 + offset_bytes) return 0
  const offset = readNumber(await read(offsets.end - offset_bytes), offset_bytes)
  // The last entry covers a run of chunks: its first chunk, samples per chunk and sample description.
  const samples = readNumber(await read(chunks.end - 8), 4)
  return offset + (await lastSamplesBytes(sizes, samples, read))
}

async function lastSamplesBytes({ start, end }: Range, samples: number, read: Read): Promise<number> {
  const common_bytes = readNumber(await read(start + FLAGS_BYTES), 4)
  if (common_bytes > 0) return samples * common_bytes
  const first = Math.max(start + FLAGS_BYTES + 8, end - Math.min(4 * samples, SUMMED_BYTES_MAX))
  let bytes = 0
  for (let at = first; at + 4 <= end; ) {
    const block = (await read(at)).subarray(0, end - at)
    if (block.length < 4) break
    for (let number = 0; number + 4 <= block.length; number += 4) bytes += block.readUInt32BE(number)
    at += block.length - (block.length % 4)
  }
  return bytes
}

function readNumber(bytes: Buffer, length: 4 | 8): number {
  if (bytes.length < length) return 0
  return length === 8 ? Number(bytes.readBigUInt64BE(0)) : bytes.readUInt32BE(0)
}
