import { type FileHandle, open } from 'node:fs/promises'
import { failWith, type JobFailure } from '../runtime/failure.ts'

export type CodedBy = 'h264' | 'hevc'

/** First bytes of a unit with supplemental information, which comes before or after its frame. */
const UNIT_HEADS: Record<CodedBy, readonly Buffer[]> = {
  h264: [Buffer.from([0x06])],
  hevc: [Buffer.from([0x4e, 0x01]), Buffer.from([0x50, 0x01])],
}
const LENGTH_BYTES = 4
const UNIT_BYTES_MAX = 64 * 1024
const WINDOW_BYTES = 4 * 1024 * 1024
/**
 * Maximum number of bytes to scan in apparent units per window. Real units do not overlap, so they stay below this
 * limit. In other data, apparent units can overlap, so the same bytes would be scanned many times.
 */
const SCANNED_BYTES_MAX = 2 * WINDOW_BYTES
/**
 * Payload type of user data, whose first 16 bytes identify its kind. Camcorders use it for the date, camera and
 * exposure.
 */
const UNREGISTERED = 5
const ID_BYTES = 16
/** IDs of x264 and x265. Decoders read the encoder version to work around bugs in old versions. */
const ENCODERS = ['dc45e9bde6d948b7962cd820d923eeef', '2ca2de09b51747dbbb55a4fe7fc2fc4e']
const END_OF_UNIT = 0x80

/**
 * Overwrites user data in the encoded video of an MP4, QuickTime or Matroska file. No bytes move, and no frames
 * change.
 * @returns the number of overwritten messages.
 */
export async function blankUserData(path: string, codec: CodedBy, signal: AbortSignal): Promise<number> {
  const file = await open(path, 'r+')
  let blanked = 0
  try {
    const { size } = await file.stat()
    for (let at = 0; at < size; at += WINDOW_BYTES) {
      signal.throwIfAborted()
      const window = Buffer.alloc(Math.min(size - at, WINDOW_BYTES + LENGTH_BYTES + UNIT_BYTES_MAX))
      const { bytesRead } = await file.read(window, 0, window.length, at)
      for (const head of UNIT_HEADS[codec])
        blanked += await blankIn(file, at, window.subarray(0, bytesRead), head)
    }
  } finally {
    await file.close()
  }
  return blanked
}

/**
 * Overwrites user data in the units that start within a window. The buffer extends past the window to hold the last
 * unit.
 */
async function blankIn(file: FileHandle, offset: number, window: Buffer, head: Buffer): Promise<number> {
  let [blanked, scanned_bytes] = [0, 0]
  const last = WINDOW_BYTES + LENGTH_BYTES
  for (let at = window.indexOf(head, LENGTH_BYTES); at >= 0 && at < last; at = window.indexOf(head, at + 1)) {
    const length = window.readUInt32BE(at - LENGTH_BYTES)
    if (length > UNIT_BYTES_MAX || at + length > window.length) continue
    scanned_bytes += length
    if (scanned_bytes > SCANNED_BYTES_MAX) throw tooManyUnits()
    const unit = window.subarray(at, at + length)
    const messages = blankUnit(unit, head.length)
    if (messages === 0) continue
    await file.write(unit, 0, unit.length, offset + at)
    blanked += messages
  }
  return blanked
}

function tooManyUnits(): JobFailure {
  return failWith('overlapping_units')
}

/**
 * Overwrites the user data in a unit.
 * @returns the number of messages, or 0 if the bytes are not exactly one unit.
 */
export function blankUnit(unit: Buffer, head_bytes: number): number {
  const { positions, escapes } = findEscapes(unit, head_bytes)
  const found = readMessages(positions.map((position) => unit[position] ?? 0))
  const own = (found ?? []).filter(({ type, start, end }) => {
    const id = positions.slice(start, start + ID_BYTES).map((position) => unit[position] ?? 0)
    return (
      type === UNREGISTERED && end - start >= ID_BYTES && !ENCODERS.includes(Buffer.from(id).toString('hex'))
    )
  })
  // The two zeros before an escape must stay, or the escape would be read as data.
  const fixed = new Set(escapes.flatMap((position) => [position - 1, position - 2]))
  for (const { start, end } of own)
    for (const position of positions.slice(start, end)) if (!fixed.has(position)) unit[position] = 0xff
  return own.length
}

/**
 * Returns the positions of data bytes and of escapes. An escape is a 3 after two zeros, which prevents start codes.
 */
function findEscapes(unit: Buffer, from: number): { positions: number[]; escapes: number[] } {
  const positions: number[] = []
  const escapes: number[] = []
  let zeros = 0
  for (let at = from; at < unit.length; at += 1) {
    if (zeros >= 2 && unit[at] === 3) {
      escapes.push(at)
      zeros = 0
      continue
    }
    zeros = unit[at] === 0 ? zeros + 1 : 0
    positions.push(at)
  }
  return { positions, escapes }
}

interface Message {
  type: number
  start: number
  end: number
}

/**
 * Splits bytes into messages.
 * @returns null if the bytes do not consist entirely of messages.
 */
function readMessages(bytes: readonly number[]): Message[] | null {
  const messages: Message[] = []
  let at = 0
  const number = () => {
    let sum = 0
    while (bytes[at] === 0xff) {
      sum += 0xff
      at += 1
    }
    sum += bytes[at] ?? 0
    at += 1
    return sum
  }
  while (at < bytes.length) {
    if (at === bytes.length - 1 && bytes[at] === END_OF_UNIT) return messages
    const [type, size] = [number(), number()]
    messages.push({ type, start: at, end: at + size })
    at += size
  }
  return null
}
