import type { ColorCodePoints } from '../../../shared/planning/facts.ts'
import { colorantsOf, hasSrgbPrimaries } from './color-primaries.ts'
import { toneMappedTable } from './color-table.ts'
import { compress, hdrCurve, transferCurve } from './color-transfers.ts'

const HEADER_BYTES = 128
const ENTRY_BYTES = 12
/** Enough entries for the steep start of PQ, because lcms interpolates between them. */
const CURVE_ENTRIES = 4096
const D50: readonly number[] = [0.9642, 1, 0.8249]

/** Makes a display profile (ICC.1:2001) from H.273 code points. HDR is tone-mapped, as in videos. */
export function makeColorProfile(color: ColorCodePoints): Buffer {
  const light = hdrCurve(color)
  if (light !== null && !hasSrgbPrimaries(color))
    return assemble('RGB ', [...describe(color), ['A2B0', toneMappedTable(color, light, compress)]], 'Lab ')
  const [red, green, blue] = colorantsOf(color)
  const curve = curveTag(transferCurve(color))
  return assemble('RGB ', [
    ...describe(color),
    ['rXYZ', xyzTag(red)],
    ['gXYZ', xyzTag(green)],
    ['bXYZ', xyzTag(blue)],
    ['rTRC', curve],
    ['gTRC', curve],
    ['bTRC', curve],
  ])
}

/** Makes a profile for a gray image, which has no primaries. */
export function makeGrayProfile(color: ColorCodePoints): Buffer {
  return assemble('GRAY', [...describe(color), ['kTRC', curveTag(transferCurve(color))]])
}

type Tag = readonly [name: string, data: Buffer]

function describe({ primaries, transfer }: ColorCodePoints): Tag[] {
  return [
    ['desc', descriptionTag(`CICP ${primaries}/${transfer}`)],
    ['cprt', textTag('text', 'No copyright')],
    ['wtpt', xyzTag(D50)],
  ]
}

function assemble(
  space: 'RGB ' | 'GRAY',
  tags: readonly Tag[],
  connection: 'XYZ ' | 'Lab ' = 'XYZ ',
): Buffer {
  const directory = Buffer.alloc(4 + tags.length * ENTRY_BYTES)
  directory.writeUInt32BE(tags.length)
  let offset = HEADER_BYTES + directory.length
  for (const [index, [name, data]] of tags.entries()) {
    const at = 4 + index * ENTRY_BYTES
    directory.write(name, at, 'latin1')
    directory.writeUInt32BE(offset, at + 4)
    directory.writeUInt32BE(data.length, at + 8)
    offset += data.length
  }
  const header = Buffer.alloc(HEADER_BYTES)
  header.writeUInt32BE(offset)
  header.writeUInt32BE(0x02100000, 8)
  header.write(`mntr${space}${connection}`, 12, 'latin1')
  header.write('acsp', 36, 'latin1')
  xyzNumbers(D50).copy(header, 68)
  return Buffer.concat([header, directory, ...tags.map(([, data]) => data)])
}

function xyzTag(values: readonly number[]): Buffer {
  return Buffer.concat([Buffer.from('XYZ \0\0\0\0', 'latin1'), xyzNumbers(values)])
}

/** Encodes each value as s15Fixed16. */
function xyzNumbers(values: readonly number[]): Buffer {
  const data = Buffer.alloc(values.length * 4)
  for (const [index, value] of values.entries()) data.writeInt32BE(Math.round(value * 65_536), index * 4)
  return data
}

function curveTag(curve: (signal: number) => number): Buffer {
  const data = Buffer.alloc(12 + CURVE_ENTRIES * 2)
  data.write('curv', 'latin1')
  data.writeUInt32BE(CURVE_ENTRIES, 8)
  for (let index = 0; index < CURVE_ENTRIES; index += 1) {
    const light = Math.min(1, Math.max(0, curve(index / (CURVE_ENTRIES - 1))))
    data.writeUInt16BE(Math.round(light * 65_535), 12 + index * 2)
  }
  return data
}

/** Builds a text tag, padded to the required alignment of four bytes. */
function textTag(type: string, text: string): Buffer {
  const data = Buffer.from(`${type}\0\0\0\0${text}\0`, 'latin1')
  return Buffer.concat([data, Buffer.alloc((4 - (data.length % 4)) % 4)])
}

/** Encodes a description in ASCII, followed by empty Unicode and Macintosh forms. */
function descriptionTag(text: string): Buffer {
  const count = Buffer.alloc(4)
  count.writeUInt32BE(text.length + 1)
  const data = Buffer.concat([
    Buffer.from('desc\0\0\0\0', 'latin1'),
    count,
    Buffer.from(`${text}\0`, 'latin1'),
    Buffer.alloc(78),
  ])
  return Buffer.concat([data, Buffer.alloc((4 - (data.length % 4)) % 4)])
}
