/** Reads the clocks that broadcast streams repeat throughout (ISO 13818-1). */

/** A clock. A multiplex may contain several programs with their own clocks. */
export interface Clock {
  seconds: number
  program: number
}

const TICKS_PER_SECOND = 90_000
const SYNC = 0x47
/** Packet sizes: plain, with a camcorder timestamp before each, with check bytes after each. */
const PACKET_BYTES = [188, 192, 204]
const PACKET_BYTES_MAX = Math.max(...PACKET_BYTES)
/** Consecutive sync bytes that are no coincidence. */
const PACKETS_SEEN = 5

/** Reads the clocks of one program in a sample of an MPEG-TS: the given program, or the first found. */
export function transportClocks(bytes: Buffer, program: number | null): Clock[] {
  for (let at = 0; at < PACKET_BYTES_MAX; at += 1) {
    const size = PACKET_BYTES.find((length) => isPacketRow(bytes, at, length))
    if (size !== undefined) return packetClocks(bytes, at, size, program)
  }
  return []
}

/** Checks whether the first bytes of a file are those of an MPEG-TS. */
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

/** Reads the clocks in a sample of an MPEG program stream, as on discs, which has one program. */
export function programClocks(bytes: Buffer): Clock[] {
  const clocks: Clock[] = []
  for (let at = bytes.indexOf(PACK); at !== -1 && at + 9 <= bytes.length; at = bytes.indexOf(PACK, at + 4)) {
    const ticks = packTicks(bytes.subarray(at + 4, at + 9))
    if (ticks !== null) clocks.push({ seconds: ticks / TICKS_PER_SECOND, program: 0 })
  }
  return clocks
}

/** Reads 33 bits with marker bits between them, in the layouts of MPEG-2 and MPEG-1. */
function packTicks([a = 0, b = 0, c = 0, d = 0, e = 0]: Uint8Array): number | null {
  if ((a & 0xc4) === 0x44) {
    const high = (((a >> 3) & 7) << 2) | (a & 3)
    return high * 2 ** 28 + (b << 20) + ((c >> 3) << 15) + ((c & 3) << 13) + (d << 5) + (e >> 3)
  }
  if ((a & 0xf1) === 0x21)
    return ((a >> 1) & 7) * 2 ** 30 + (b << 22) + ((c >> 1) << 15) + (d << 7) + (e >> 1)
  return null
}

/** ffmpeg treats a longer jump as another clock (dts_delta_threshold). */
const LEAP_SECONDS = 10
/** How much slower than usual a stream runs while little happens in the video. */
const SLOW_FACTOR = 8
const DIFFERENCE_SHARE = 0.05
const DIFFERENCE_SECONDS = 2

/**
 * Checks whether the clock may restart somewhere: then neither the length from its first and last value nor a
 * seek is reliable.
 * @param pieces samples of the clock, in seconds, at equal distances.
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
