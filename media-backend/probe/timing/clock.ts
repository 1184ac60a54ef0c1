/** Reads the clocks that broadcast streams repeat throughout (ISO 13818-1). */

/** A clock value. A multiplex may contain several programs, each with a separate clock. */
export interface Clock {
  seconds: number
  program: number
}

const TICKS_PER_SECOND = 90_000
const SYNC = 0x47
/** Packet sizes: plain, with a camcorder timestamp before each packet, and with check bytes after each packet. */
const PACKET_BYTES = [188, 192, 204]
const PACKET_BYTES_MAX = Math.max(...PACKET_BYTES)
/** Number of consecutive sync bytes that cannot be a coincidence. */
const PACKETS_SEEN = 5

/** Reads the clock values of one program in an MPEG-TS sample: the given program, or the first one found. */
export function transportClocks(bytes: Buffer, program: number | null): Clock[] {
  for (let at = 0; at < PACKET_BYTES_MAX; at += 1) {
    const size = PACKET_BYTES.find((length) => isPacketRow(bytes, at, length))
    if (size !== undefined) return packetClocks(bytes, at, size, program)
  }
  return []
}

/** Checks whether a file starts like an MPEG-TS. */
export function isTransport(bytes: Buffer): boolean {
  return PACKET_BYTES.some((size) => [0, 4].some((at) => isPacketRow(bytes, at, size)))
}

function isPacketRow(bytes: Buffer, at: number, size: number): boolean {
  return Array.from({ length: PACKETS_SEEN }, (_, number) => bytes[at + number * size]).every(
    (byte) => byte === SYNC,
  )
}

function packetClocks(bytes: Buffer, start: number, size: number, program: number | null): Clock[] {
  const clocks: Clock[] = []
  for (let at = start; at + 12 <= bytes.length; at += size) {
    const has_clock =
      bytes[at] === SYNC &&
      (bytes.readUInt8(at + 3) & 0x20) !== 0 &&
      bytes.readUInt8(at + 4) > 0 &&
      (bytes.readUInt8(at + 5) & 0x10) !== 0
    const id = bytes.readUInt16BE(at + 1) & 0x1fff
    if (!has_clock || id !== (program ?? clocks[0]?.program ?? id)) continue
    const ticks = bytes.readUInt32BE(at + 6) * 2 + (bytes.readUInt8(at + 10) >> 7)
    clocks.push({ seconds: ticks / TICKS_PER_SECOND, program: id })
  }
  return clocks
}

const PACK = Buffer.from([0, 0, 1, 0xba])

/** Reads the clock values in a sample of an MPEG program stream, as found on discs. It has only one program. */
export function programClocks(bytes: Buffer): Clock[] {
  const clocks: Clock[] = []
  for (let at = bytes.indexOf(PACK); at !== -1 && at + 9 <= bytes.length; at = bytes.indexOf(PACK, at + 4)) {
    const ticks = packTicks(bytes.subarray(at + 4, at + 9))
    if (ticks !== null) clocks.push({ seconds: ticks / TICKS_PER_SECOND, program: 0 })
  }
  return clocks
}

/** Reads 33 bits that are interleaved with marker bits, in the MPEG-2 or MPEG-1 layout. */
function packTicks([a = 0, b = 0, c = 0, d = 0, e = 0]: Uint8Array): number | null {
  if ((a & 0xc4) === 0x44) {
    const high = (((a >> 3) & 7) << 2) | (a & 3)
    return high * 2 ** 28 + (b << 20) + ((c >> 3) << 15) + ((c & 3) << 13) + (d << 5) + (e >> 3)
  }
  if ((a & 0xf1) === 0x21)
    return ((a >> 1) & 7) * 2 ** 30 + (b << 22) + ((c >> 1) << 15) + (d << 7) + (e >> 1)
  return null
}

/** ffmpeg treats a longer jump as a different clock (dts_delta_threshold). */
const LEAP_SECONDS = 10
/** Factor by which the bit rate may drop while little happens in the video. */
const SLOW_FACTOR = 8
const DIFFERENCE_SHARE = 0.05
const DIFFERENCE_SECONDS = 2

/**
 * Checks whether the clock may restart somewhere. If it does, neither a seek nor the duration computed from the
 * first and last clock values is reliable.
 * @param pieces evenly spaced samples of the clock, in seconds.
 */
export function mayRestart(pieces: readonly (readonly number[])[], declared_seconds: number): boolean {
  const clocks = pieces.flat()
  const [first = 0, last = first] = [clocks[0], clocks.at(-1)]
  const leaps = stepsOf(pieces.flatMap(([start]) => start ?? []))
  const usual = leaps.toSorted((one, other) => one - other)[Math.floor(leaps.length / 2)] ?? 0
  return (
    stepsOf(clocks).some((step) => step < 0) ||
    leaps.some((step) => step > Math.max(LEAP_SECONDS, SLOW_FACTOR * usual)) ||
    Math.abs(last - first - declared_seconds) >
      Math.max(DIFFERENCE_SECONDS, DIFFERENCE_SHARE * declared_seconds)
  )
}

function stepsOf(clocks: readonly number[]): number[] {
  return clocks.slice(1).map((seconds, position) => seconds - (clocks[position] ?? 0))
}
