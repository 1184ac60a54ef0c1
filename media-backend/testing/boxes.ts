/** Builds and replaces boxes in MP4 and QuickTime files, and elements in Matroska files. */

const CONTAINERS = ['moov', 'trak', 'mdia', 'minf', 'dinf', 'stbl', 'udta', 'meta']

export function box(type: string, ...content: (Buffer | string)[]): Buffer {
  const body = join(content)
  const size = Buffer.alloc(4)
  size.writeUInt32BE(body.length + 8)
  return Buffer.concat([size, Buffer.from(type, 'latin1'), body])
}

function join(content: (Buffer | string)[]): Buffer {
  return Buffer.concat(content.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)))
}

export function number32(...values: number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length)
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value >>> 0, 4 * index)
  return bytes
}

/**
 * Replaces each box of the given type. Works only if the media data comes before the index, as ffmpeg writes it, so
 * no offset changes.
 */
export function replaceBoxes(file: Buffer, type: string, replace: (body: Buffer) => Buffer): Buffer {
  const parts: Buffer[] = []
  for (let at = 0; at + 8 <= file.length; ) {
    const size = file.readUInt32BE(at)
    const end = size < 8 ? file.length : Math.min(file.length, at + size)
    const name = file.toString('latin1', at + 4, at + 8)
    const body = file.subarray(at + 8, end)
    if (name === type) parts.push(replace(body))
    else if (CONTAINERS.includes(name)) parts.push(box(name, replaceBoxes(body, type, replace)))
    else parts.push(file.subarray(at, end))
    at = end
  }
  return Buffer.concat(parts)
}

/** Builds a Matroska element: the encoded ID, then the size in eight bytes. */
export function element(id: number, ...content: (Buffer | string)[]): Buffer {
  const body = join(content)
  const size = Buffer.alloc(8)
  size.writeBigUInt64BE(BigInt(body.length) | (1n << 56n))
  return Buffer.concat([Buffer.from(id.toString(16).padStart(2, '0'), 'hex'), size, body])
}

const VOID = 0xec
const SEGMENT = Buffer.from('18538067', 'hex')

/** Inserts elements at the start of a Matroska segment and blanks its seek head. */
export function intoSegment(file: Buffer, ...elements: Buffer[]): Buffer {
  const at = file.indexOf(SEGMENT)
  // An unknown size: the segment extends to the end of the file.
  const unknown = Buffer.from('01ffffffffffffff', 'hex')
  const content = Buffer.from(file.subarray(at + 12))
  content.set([VOID, 0x80 | (((content[4] ?? 0) & 0x7f) + 3)])
  return Buffer.concat([file.subarray(0, at), SEGMENT, unknown, ...elements, content])
}
