import { type Box, iterateBoxes } from './boxes.ts'
import { bufferSource, CorruptImage, type Range } from './bytes.ts'
import { Cursor } from './cursor.ts'

export interface Extent {
  /** 0: relative to the start of the file. 1: relative to the start of `idat`. */
  method: number
  start: number
  length: number
}

export interface Item {
  id: number
  type: string
  /** True if readers list the item only as part of another item. */
  is_hidden: boolean
}

/** References of one kind from an item to others. */
export interface Reference {
  type: string
  from: number
  to: number[]
}

/** A row of a table: its bytes and the ID of its item. */
export interface Row {
  id: number
  bytes: Buffer
}

/** Returns the boxes in a table's content, each with its bytes. */
async function boxesOf(
  content: Buffer,
  own_bytes: number,
): Promise<{ type: string; head: Buffer; body: Buffer }[]> {
  const boxes = []
  for await (const { type, start, body, end } of iterateBoxes(
    bufferSource(content),
    own_bytes,
    content.length,
  ))
    boxes.push({ type, head: content.subarray(start, body), body: content.subarray(body, end) })
  return boxes
}

/** Reads the item information, where each entry is a box (ISO/IEC 14496-12, infe). */
export async function readItems(iinf: Buffer): Promise<(Row & Item)[]> {
  const items = []
  for (const { head, body } of await boxesOf(iinf, iinf[0] === 0 ? 6 : 8)) {
    const cursor = new Cursor(body)
    const entry_version = cursor.number(1)
    if (entry_version < 2) throw new CorruptImage('an item of a version that HEIF does not have')
    const is_hidden = (cursor.number(3) & 1) === 1
    const id = cursor.number(entry_version === 2 ? 2 : 4)
    cursor.skip(2)
    const type = cursor.text(4)
    // The name is informational, so it is overwritten with zeros.
    const name = Buffer.alloc(body.length - cursor.at)
    const bytes = Buffer.concat([head, body.subarray(0, cursor.at), name])
    items.push({ id, type, is_hidden, bytes })
  }
  return items
}

/** Reads the location of each item's data (iloc). */
export function readLocations(content: Buffer): { head: Buffer; rows: (Row & { extents: Extent[] })[] } {
  const cursor = new Cursor(content)
  const version = cursor.number(1)
  cursor.skip(3)
  const sizes = cursor.number(2)
  const [offset_size, length_size, base_size] = [sizes >> 12, (sizes >> 8) & 15, (sizes >> 4) & 15]
  const index_size = version === 0 ? 0 : sizes & 15
  const head = content.subarray(0, cursor.at)
  const count = cursor.number(version < 2 ? 2 : 4)
  const rows = Array.from({ length: count }, () => {
    const start = cursor.at
    const id = cursor.number(version < 2 ? 2 : 4)
    const method = version === 0 ? 0 : cursor.number(2) & 15
    cursor.skip(2)
    const base = cursor.number(base_size)
    const extents = Array.from({ length: cursor.number(2) }, () => {
      cursor.skip(index_size)
      return { method, start: base + cursor.number(offset_size), length: cursor.number(length_size) }
    })
    return { id, extents, bytes: content.subarray(start, cursor.at) }
  })
  return { head, rows }
}

export async function readReferences(iref: Buffer): Promise<Reference[]> {
  const id_bytes = iref[0] === 0 ? 2 : 4
  const references = []
  for (const { type, body } of await boxesOf(iref, 4)) {
    const cursor = new Cursor(body)
    const from = cursor.number(id_bytes)
    const to = Array.from({ length: cursor.number(2) }, () => cursor.number(id_bytes))
    references.push({ type, from, to })
  }
  return references
}

/** Reads which properties each item has (ipma). `properties` contains one-based positions in ipco. */
export function readAssociations(content: Buffer): {
  head: Buffer
  rows: (Row & { properties: number[] })[]
} {
  const cursor = new Cursor(content)
  const version = cursor.number(1)
  const is_wide = (cursor.number(3) & 1) === 1
  const head = content.subarray(0, cursor.at)
  const rows = Array.from({ length: cursor.number(4) }, () => {
    const start = cursor.at
    const id = cursor.number(version === 0 ? 2 : 4)
    const properties = Array.from({ length: cursor.number(1) }, () =>
      is_wide ? cursor.number(2) & 0x7fff : cursor.number(1) & 0x7f,
    )
    return { id, properties, bytes: content.subarray(start, cursor.at) }
  })
  return { head, rows }
}

/**
 * Returns the byte ranges of these extents in the file.
 * @throws CorruptImage if they extend past the end of the file.
 */
export function rangesOf(extents: readonly Extent[], idat: Box | undefined, file_bytes: number): Range[] {
  return extents.map(({ method, start, length }) => {
    const from = method === 1 ? (idat?.body ?? 0) + start : start
    // An extent without a length extends to the end.
    const end = length === 0 ? (method === 1 ? (idat?.end ?? from) : file_bytes) : from + length
    if (end > file_bytes) throw new CorruptImage('a truncated image')
    return { start: from, end }
  })
}
