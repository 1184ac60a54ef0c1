import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'

const execute = promisify(execFile)

/**
 * Returns hashes of the H.264 or HEVC NAL units in order, whether the container separates them by start codes or by
 * lengths.
 */
export async function videoUnits(path: string, packing: 'start codes' | 'lengths'): Promise<string[]> {
  const args = ['-v', 'error', '-i', path, '-map', '0:v', '-c', 'copy', '-f', 'data', '-']
  const { stdout } = await execute('ffmpeg', args, { encoding: 'buffer', maxBuffer: 64 * 1024 * 1024 })
  const units = packing === 'lengths' ? splitLengths(stdout) : splitStartCodes(stdout)
  return units.map((unit) => createHash('sha256').update(unit).digest('hex'))
}

function splitLengths(bytes: Buffer): Buffer[] {
  const units: Buffer[] = []
  for (let at = 0; at < bytes.length; ) {
    const end = at + 4 + bytes.readUInt32BE(at)
    units.push(trimEnd(bytes.subarray(at + 4, end)))
    at = end
  }
  return units
}

/**
 * Splits at start codes. A NAL unit never contains 00 00 01 and never ends with a zero byte; such bytes belong to
 * the next start code or are stuffing.
 */
function splitStartCodes(bytes: Buffer): Buffer[] {
  const code = Buffer.from([0, 0, 1])
  const units: Buffer[] = []
  let start = bytes.indexOf(code)
  while (start >= 0) {
    const next = bytes.indexOf(code, start + 3)
    units.push(trimEnd(bytes.subarray(start + 3, next < 0 ? bytes.length : next)))
    start = next
  }
  return units
}

function trimEnd(unit: Buffer): Buffer {
  let end = unit.length
  while (unit[end - 1] === 0) end -= 1
  return unit.subarray(0, end)
}
