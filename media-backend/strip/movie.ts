import { type Box, blankBox, boxesIn, type Patch } from './boxes.ts'
import type { ByteSource } from './bytes.ts'

/** Boxes of a movie that contain other boxes, and boxes that are needed for playback. */
const CONTAINERS = new Set(['moov', 'trak', 'mdia', 'minf', 'dinf', 'stbl', 'edts', 'mvex'])
const PLAYED = new Set([
  ...['mvhd', 'tkhd', 'mdhd', 'hdlr', 'vmhd', 'smhd', 'nmhd', 'gmhd', 'sthd', 'dref', 'elst', 'tref', 'tapt'],
  ...['stsd', 'stts', 'stsc', 'stsz', 'stz2', 'stco', 'co64', 'stss', 'ctts', 'cslg', 'sdtp', 'sbgp', 'sgpd'],
  ...['trex', 'mehd', 'free', 'skip', 'ccst', 'stsh', 'padb', 'subs', 'saiz', 'saio'],
])
const TIMED = new Set(['mvhd', 'tkhd', 'mdhd'])
/** Position of the handler name. The version, flags, two reserved words and the handler type precede it. */
const HANDLER_NAME_AT = 24

/** Overwrites the metadata of a movie in place: metadata boxes, dates and names. */
export async function blankMovie(source: ByteSource, movie: Box): Promise<Patch[]> {
  const patches: Patch[] = []
  const containers = [movie]
  for (const container of containers) {
    for (const box of await boxesIn(source, container)) {
      if (CONTAINERS.has(box.type)) containers.push(box)
      else if (TIMED.has(box.type)) patches.push(await blankTimes(source, box))
      else if (box.type === 'hdlr') patches.push(...blankName(box))
      else if (!PLAYED.has(box.type)) patches.push(...blankBox(box))
    }
  }
  return patches
}

/** Overwrites the creation and modification times, which have eight bytes each in version 1 and four in version 0. */
async function blankTimes(source: ByteSource, { body, end }: Box): Promise<Patch> {
  const [version = 0] = await source.read(body, 1)
  return { start: body + 4, end: Math.min(end, body + (version === 1 ? 20 : 12)), bytes: 'zeros' }
}

export function blankName({ body, end }: Box): Patch[] {
  const start = body + HANDLER_NAME_AT
  return start < end ? [{ start, end, bytes: 'zeros' }] : []
}
