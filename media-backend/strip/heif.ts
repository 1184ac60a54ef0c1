import {
  applyPatches,
  type Box,
  blankBox,
  boxOf,
  gapsIn,
  iterateBoxes,
  type Patch,
  zerosOf,
} from './boxes.ts'
import { type ByteSource, CorruptImage, type Piece, type Range } from './bytes.ts'
import { keepMeta } from './heif-meta.ts'
import { blankMovie } from './movie.ts'

const NEEDED = ['ftyp', 'meta', 'moov', 'mdat']
const META_BYTES_MAX = 64 * 1024 * 1024

/**
 * Keeps the images of a HEIF or AVIF file and what is needed to display them. Kept data never moves. Removed data
 * is overwritten with zeros, or dropped if it is at the end of the file.
 */
export async function stripHeif(source: ByteSource): Promise<Piece[]> {
  const top = await readTopBoxes(source)
  const find = (wanted: string) => top.find(({ type }) => type === wanted)
  const [meta, movie] = [find('meta'), find('moov')]
  if (meta === undefined || meta.end - meta.start > META_BYTES_MAX)
    throw new CorruptImage('a HEIF without a list of its images')
  const { bytes, kept, dropped } = await keepMeta(source, meta)
  const isNeeded = (box: Box) => NEEDED.includes(box.type) || kept.some((range) => overlaps(range, box))
  const patches = top.flatMap((box): Patch[] => {
    if (box === meta) return [{ ...box, bytes }]
    if (box === movie || box.type === 'ftyp') return []
    if (!isNeeded(box)) return blankBox(box)
    // In a sequence, samples lie between the items, so only the space of dropped items is known to be free.
    return zerosOf(box, movie === undefined ? gapsIn(box, kept) : dropped)
  })
  const movie_patches = movie === undefined ? [] : await blankMovie(source, movie)
  const end = Math.max(...top.filter(isNeeded).map((box) => box.end))
  const pieces = applyPatches([...patches, ...movie_patches], 0, end)
  // exiftool adds EXIF only to an `mdat` box, but a file may hold all of its items in `meta`.
  return find('mdat') === undefined ? [...pieces, boxOf('mdat')] : pieces
}

/** Reads the top-level boxes. Stops at a trailer that does not consist of boxes. */
async function readTopBoxes(source: ByteSource): Promise<Box[]> {
  const boxes: Box[] = []
  try {
    for await (const box of iterateBoxes(source, 0, source.size)) boxes.push(box)
  } catch (error) {
    if (!(error instanceof CorruptImage)) throw error
  }
  return boxes
}

function overlaps(range: Range, box: Box): boolean {
  return range.start < box.end && range.end > box.start
}
