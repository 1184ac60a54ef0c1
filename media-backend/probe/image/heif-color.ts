import type { ColorCodePoints } from '../../../shared/planning/facts.ts'

interface Box {
  type: string
  body: Buffer
}

/**
 * Finds the color of the primary image in the body of a HEIF "meta" box (ISO/IEC 23008-12, 9.3).
 * @returns null if the image has no color code points or has an ICC profile.
 */
export function readHeifColor(meta: Buffer): ColorCodePoints | null {
  // A full box starts with its version and flags.
  const boxes = readBoxes(meta.subarray(4))
  const item = primaryItem(find(boxes, 'pitm'))
  const properties = readBoxes(find(boxes, 'iprp'))
  const all = readBoxes(find(properties, 'ipco'))
  const own = item === null ? [] : propertiesOf(item, find(properties, 'ipma'))
  const colors = own.flatMap((index) => all[index - 1] ?? []).filter(({ type }) => type === 'colr')
  // A grid may store its color only in its tiles.
  const known = colors.length > 0 ? colors : all.filter(({ type }) => type === 'colr')
  if (known.some(({ body }) => isProfile(body))) return null
  const coded = known.find(({ body }) => body.length >= 8 && body.toString('latin1', 0, 4) === 'nclx')
  return coded === undefined
    ? null
    : { primaries: coded.body.readUInt16BE(4), transfer: coded.body.readUInt16BE(6) }
}

function isProfile(body: Buffer): boolean {
  return ['prof', 'rICC'].includes(body.toString('latin1', 0, 4))
}

export function readBoxes(body: Buffer): Box[] {
  const boxes: Box[] = []
  for (let at = 0; at + 8 <= body.length; ) {
    const size = body.readUInt32BE(at)
    const end = size < 8 ? body.length : Math.min(body.length, at + size)
    boxes.push({ type: body.toString('latin1', at + 4, at + 8), body: body.subarray(at + 8, end) })
    at = end
  }
  return boxes
}

export function find(boxes: readonly Box[], type: string): Buffer {
  return boxes.find((box) => box.type === type)?.body ?? Buffer.alloc(0)
}

function primaryItem(pitm: Buffer): number | null {
  if (pitm.length < 6) return null
  return pitm.readUInt8(0) === 0 ? pitm.readUInt16BE(4) : pitm.length < 8 ? null : pitm.readUInt32BE(4)
}

/** Returns the one-based indices of an item's properties in "ipco". */
function propertiesOf(item: number, ipma: Buffer): number[] {
  if (ipma.length < 8) return []
  const [id_bytes, index_bytes] = [ipma.readUInt8(0) < 1 ? 2 : 4, (ipma.readUInt8(3) & 1) === 1 ? 2 : 1]
  let at = 8
  while (at + id_bytes < ipma.length) {
    const id = ipma.readUIntBE(at, id_bytes)
    const count = ipma.readUInt8(at + id_bytes)
    const start = at + id_bytes + 1
    at = start + count * index_bytes
    if (id !== item) continue
    const indices = ipma.subarray(start, at)
    // The highest bit marks the property as essential.
    const mask = index_bytes === 2 ? 0x7fff : 0x7f
    return Array.from({ length: Math.floor(indices.length / index_bytes) }, (_, index) => {
      return indices.readUIntBE(index * index_bytes, index_bytes) & mask
    })
  }
  return []
}
