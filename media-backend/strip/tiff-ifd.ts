import { type ByteSource, CorruptImage } from './bytes.ts'

/** Byte order and offset size of a TIFF. BigTIFF has eight-byte offsets. */
export interface Layout {
  is_little: boolean
  is_big: boolean
}

export interface Entry {
  tag: number
  type: number
  count: number
  data: Buffer
}

export interface Ifd {
  entries: Entry[]
  /** Offset of the next directory in the chain; 0 ends it. */
  next: number
}

/** Bytes per value, indexed by type number. */
const TYPE_BYTES = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8]
export const SHORT = 3
export const LONG = 4
export const LONG8 = 16
const ENTRIES_MAX = 4096

/**
 * Reads the header of a TIFF.
 * @returns null if the source does not start like a TIFF.
 */
export async function readTiffHeader(source: ByteSource): Promise<{ layout: Layout; first: number } | null> {
  const header = await source.read(0, 16)
  const byte_order = header.toString('latin1', 0, 2)
  if (header.length < 8 || (byte_order !== 'II' && byte_order !== 'MM')) return null
  const numbers = { is_little: byte_order === 'II', is_big: false }
  const version = readNumber(header, 2, 2, numbers)
  if (version !== 42 && version !== 43) return null
  const layout = { ...numbers, is_big: version === 43 }
  if (layout.is_big && header.length < 16) return null
  return {
    layout,
    first: layout.is_big ? readNumber(header, 8, 8, layout) : readNumber(header, 4, 4, layout),
  }
}

/**
 * Reads the requested entries of one directory.
 * @throws CorruptImage if the directory lies outside the source.
 */
export async function readIfd(
  source: ByteSource,
  offset: number,
  layout: Layout,
  tags: ReadonlySet<number>,
): Promise<Ifd> {
  const { count_bytes, entry_bytes, word_bytes } = sizesOf(layout)
  const head = await source.read(offset, count_bytes)
  if (offset === 0 || head.length < count_bytes)
    throw new CorruptImage('a TIFF directory outside of the file')
  const count = readNumber(head, 0, count_bytes, layout)
  if (count > ENTRIES_MAX) throw new CorruptImage('a TIFF directory of too many entries')
  const table = await source.read(offset + count_bytes, count * entry_bytes + word_bytes)
  const entries: Entry[] = []
  for (let at = 0; at + entry_bytes <= Math.min(table.length, count * entry_bytes); at += entry_bytes) {
    const tag = readNumber(table, at, 2, layout)
    if (!tags.has(tag)) continue
    const entry = await readEntry(source, table.subarray(at, at + entry_bytes), layout)
    if (entry !== null) entries.push(entry)
  }
  const next_at = count * entry_bytes
  const next = table.length < next_at + word_bytes ? 0 : readNumber(table, next_at, word_bytes, layout)
  return { entries, next }
}

async function readEntry(source: ByteSource, raw: Buffer, layout: Layout): Promise<Entry | null> {
  const { word_bytes } = sizesOf(layout)
  const [tag, type] = [readNumber(raw, 0, 2, layout), readNumber(raw, 2, 2, layout)]
  const count = readNumber(raw, 4, word_bytes, layout)
  const size = count * (TYPE_BYTES[type] ?? 0)
  // Decoders ignore values outside the file.
  if (size === 0 || size > source.size) return null
  const value = raw.subarray(4 + word_bytes)
  if (size <= word_bytes) return { tag, type, count, data: Buffer.from(value.subarray(0, size)) }
  const data = await source.read(readNumber(value, 0, word_bytes, layout), size)
  if (data.length < size) return null
  return { tag, type, count, data: Buffer.from(data) }
}

/** Returns the values of an integer entry. */
export function numbersOf({ type, data }: Entry, layout: Layout): number[] {
  const bytes = TYPE_BYTES[type] ?? 0
  return Array.from({ length: bytes === 0 ? 0 : data.length / bytes }, (_, index) =>
    readNumber(data, index * bytes, bytes, layout),
  )
}

export function numbersEntry(tag: number, type: number, values: readonly number[], layout: Layout): Entry {
  const bytes = TYPE_BYTES[type] ?? 0
  const data = Buffer.alloc(values.length * bytes)
  for (const [index, value] of values.entries()) writeNumber(data, index * bytes, bytes, value, layout)
  return { tag, type, count: values.length, data }
}

/** Returns the size in bytes of a directory including its values. */
export function ifdBytes(entries: readonly Entry[], layout: Layout): number {
  const { count_bytes, entry_bytes, word_bytes } = sizesOf(layout)
  const values = entries.reduce(
    (sum, { data }) => sum + (data.length > word_bytes ? even(data.length) : 0),
    0,
  )
  return count_bytes + entries.length * entry_bytes + word_bytes + values
}

/** Encodes a directory at `offset`, followed by its values. */
export function encodeIfd({ entries, next }: Ifd, offset: number, layout: Layout): Buffer {
  const { count_bytes, entry_bytes, word_bytes } = sizesOf(layout)
  const encoded = Buffer.alloc(ifdBytes(entries, layout))
  let value_at = count_bytes + entries.length * entry_bytes + word_bytes
  writeNumber(encoded, 0, count_bytes, entries.length, layout)
  for (const [index, { tag, type, count, data }] of entries.toSorted((a, b) => a.tag - b.tag).entries()) {
    const at = count_bytes + index * entry_bytes
    writeNumber(encoded, at, 2, tag, layout)
    writeNumber(encoded, at + 2, 2, type, layout)
    writeNumber(encoded, at + 4, word_bytes, count, layout)
    const is_inside = data.length <= word_bytes
    data.copy(encoded, is_inside ? at + 4 + word_bytes : value_at)
    if (is_inside) continue
    writeNumber(encoded, at + 4 + word_bytes, word_bytes, offset + value_at, layout)
    value_at += even(data.length)
  }
  writeNumber(encoded, count_bytes + entries.length * entry_bytes, word_bytes, next, layout)
  return encoded
}

export function encodeTiffHeader(first: number, layout: Layout): Buffer {
  const header = Buffer.alloc(layout.is_big ? 16 : 8)
  header.write(layout.is_little ? 'II' : 'MM', 'latin1')
  writeNumber(header, 2, 2, layout.is_big ? 43 : 42, layout)
  if (layout.is_big) writeNumber(header, 4, 2, 8, layout)
  writeNumber(header, layout.is_big ? 8 : 4, layout.is_big ? 8 : 4, first, layout)
  return header
}

export function even(length: number): number {
  return length + (length % 2)
}

function sizesOf({ is_big }: Layout): { count_bytes: number; entry_bytes: number; word_bytes: number } {
  return is_big
    ? { count_bytes: 8, entry_bytes: 20, word_bytes: 8 }
    : { count_bytes: 2, entry_bytes: 12, word_bytes: 4 }
}

function readNumber(bytes: Buffer, at: number, size: number, { is_little }: Layout): number {
  if (size === 8) return Number(is_little ? bytes.readBigUInt64LE(at) : bytes.readBigUInt64BE(at))
  return is_little ? bytes.readUIntLE(at, size) : bytes.readUIntBE(at, size)
}

function writeNumber(bytes: Buffer, at: number, size: number, value: number, { is_little }: Layout): void {
  if (size === 8) {
    if (is_little) bytes.writeBigUInt64LE(BigInt(value), at)
    else bytes.writeBigUInt64BE(BigInt(value), at)
  } else if (is_little) bytes.writeUIntLE(value, at, size)
  else bytes.writeUIntBE(value, at, size)
}
