import { type Box, boxesIn, iterateBoxes, type Patch, readBox } from './boxes.ts'
import { type ByteSource, CorruptImage } from './bytes.ts'
import { readItems, readLocations } from './heif-items.ts'

const FULL_BOX_BYTES = 4
/** Matches a `mime` item that has a name, a content type and a non-empty encoding. */
const ENCODED_ITEM = /mime[^\0]*\0[^\0]+\0[^\0]+\0/
const METADATA_ITEMS = new Set(['Exif', 'mime'])

/**
 * Makes the metadata of a HEIF file readable for exiftool, which skips a box without an explicit size.
 * @throws CorruptImage if the file has metadata that exiftool skips anyway, because it is compressed or lies in the
 * list of items.
 */
export async function reachItems(source: ByteSource): Promise<Patch[]> {
  const meta = await findMeta(source)
  if (meta === null) return []
  const children = await boxesIn(source, meta, FULL_BOX_BYTES)
  const [iinf, iloc] = ['iinf', 'iloc'].map((wanted) => children.find(({ type }) => type === wanted))
  if (iinf === undefined || iloc === undefined) return []
  const listed = await readBox(source, iinf)
  const described = (await readItems(listed)).filter(({ type }) => METADATA_ITEMS.has(type))
  const { rows } = readLocations(await readBox(source, iloc))
  const is_inside = rows.some(
    ({ id, extents }) =>
      described.some((item) => item.id === id) && extents.some(({ method }) => method !== 0),
  )
  if (is_inside || ENCODED_ITEM.test(listed.toString('latin1')))
    throw new CorruptImage('a HEIF with metadata that cannot be changed')
  if ((await source.read(meta.start, 4)).readUInt32BE(0) !== 0) return []
  const size = Buffer.alloc(4)
  size.writeUInt32BE(meta.end - meta.start)
  return [{ start: meta.start, end: meta.start + size.length, bytes: size }]
}

async function findMeta(source: ByteSource): Promise<Box | null> {
  for await (const box of iterateBoxes(source, 0, source.size)) if (box.type === 'meta') return box
  return null
}
