import { boxOf } from '../../strip/boxes.ts'
import { CutMismatch } from './cut-mismatch.ts'

/** A box of an MP4 in memory. */
export interface MovieBox {
  type: string
  start: number
  body: number
  end: number
}

/** Bytes before the boxes inside: none, except in the list of sample entries and in its video entries. */
const CONTAINERS: Partial<Record<string, number>> = {
  ...{ moov: 0, trak: 0, edts: 0, mdia: 0, minf: 0, stbl: 0, stsd: 8 },
  ...{ avc1: 78, avc3: 78, hvc1: 78, hev1: 78 },
}

export function boxesOf(bytes: Buffer, from = 0, end = bytes.length): MovieBox[] {
  const boxes: MovieBox[] = []
  for (let at = from; at + 8 <= end; ) {
    const size = bytes.readUInt32BE(at)
    if (size < 8 || at + size > end) throw new CutMismatch('a box does not fit into its container')
    boxes.push({ type: bytes.toString('latin1', at + 4, at + 8), start: at, body: at + 8, end: at + size })
    at += size
  }
  return boxes
}

/** Finds the content of the first box with this path, as in "moov/trak/mdia". Any type of sample entry matches "*". */
export function findBox(bytes: Buffer, path: string): Buffer | undefined {
  let [from, end] = [0, bytes.length]
  let found: MovieBox | undefined
  for (const name of path.split('/')) {
    found = boxesOf(bytes, from, end).find(({ type }) => name === '*' || type === name)
    if (found === undefined) return undefined
    from = found.body + (CONTAINERS[found.type] ?? 0)
    end = found.end
  }
  return found === undefined ? undefined : bytes.subarray(found.body, found.end)
}

/** Returns the content of a box that ffmpeg always writes. */
export function requireBox(bytes: Buffer, path: string): Buffer {
  const found = findBox(bytes, path)
  if (found === undefined) throw new CutMismatch(`there is no ${path}`)
  return found
}

/**
 * Rebuilds boxes with other content, at any depth.
 * @param replace returns the new boxes for a box, or undefined to keep it.
 */
export function rebuildBoxes(
  bytes: Buffer,
  replace: (type: string, content: Buffer) => Buffer | undefined,
): Buffer {
  return Buffer.concat(
    boxesOf(bytes).map(({ type, start, body, end }) => {
      const replaced = replace(type, bytes.subarray(body, end))
      if (replaced !== undefined) return replaced
      const own_bytes = CONTAINERS[type]
      if (own_bytes === undefined) return bytes.subarray(start, end)
      const inside = rebuildBoxes(bytes.subarray(body + own_bytes, end), replace)
      return boxOf(type, bytes.subarray(body, body + own_bytes), inside)
    }),
  )
}
