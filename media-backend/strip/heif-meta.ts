import { type Box, blankBox, boxesIn, boxOf, gapsIn, patchBox, readBox, zerosOf } from './boxes.ts'
import { type ByteSource, CorruptImage, type Range } from './bytes.ts'
import {
  type Extent,
  type Reference,
  type Row,
  rangesOf,
  readAssociations,
  readItems,
  readLocations,
  readReferences,
} from './heif-items.ts'
import { keptItems } from './heif-keep.ts'
import { blankName } from './movie.ts'

const FULL_BOX_BYTES = 4
/** Properties needed to decode or display an item. All others are descriptions, dates or private data. */
const KEPT_PROPERTIES = new Set([
  ...['hvcC', 'av1C', 'avcC', 'vvcC', 'evcC', 'jpgC', 'j2kH', 'cmpd', 'uncC', 'lhvC', 'oinf', 'tols'],
  ...['ispe', 'pasp', 'colr', 'pixi', 'rloc', 'irot', 'imir', 'clap', 'auxC', 'clli', 'mdcv', 'cclv', 'amve'],
  ...['lsel', 'a1op', 'a1lx', 'rref', 'iscl', 'ndwt', 'reve', 'free'],
])
/**
 * The boxes that come first in a list of items. exiftool inserts a missing `iref` after `iinf`. If `iloc` starts
 * there, exiftool processes the two in random order and may write to the wrong place.
 */
const FIRST_BOXES = ['hdlr', 'pitm', 'iloc']
/** References that describe an image rather than affect its display. */
const DESCRIBING = new Set(['cdsc', 'thmb'])

export interface KeptMeta {
  /** The whole box. Its length is unchanged. */
  bytes: Buffer
  /** Location of the data of kept items, and of dropped items. */
  kept: Range[]
  dropped: Range[]
}

/** Rewrites the list of items in a HEIF file to contain only those needed to display its images. */
export async function keepMeta(source: ByteSource, meta: Box): Promise<KeptMeta> {
  const children = await boxesIn(source, meta, FULL_BOX_BYTES)
  const read = async (wanted: string) => {
    const found = children.find(({ type }) => type === wanted)
    return found === undefined ? Buffer.alloc(0) : readBox(source, found)
  }
  const [pitm, iinf, iref] = [await read('pitm'), await read('iinf'), await read('iref')]
  const { head, rows } = readLocations(await read('iloc'))
  const items = await readItems(iinf)
  const references = await readReferences(iref)
  const auxiliary_types = await readAuxiliaryTypes(source, children)
  const kept_ids = keptItems({ primary: readPrimary(pitm), items, references, auxiliary_types })

  const isKept = ({ id }: { id: number }) => kept_ids.has(id)
  const idat = children.find(({ type }) => type === 'idat')
  const rangesIn = (found: readonly { extents: Extent[] }[]) =>
    found.flatMap(({ extents }) => rangesOf(extents, idat, source.size))
  const kept = rangesIn(rows.filter(isKept))
  const asItIs = (box: Box) => patchBox(source, box, [])
  const writers: Record<string, (box: Box) => Buffer | Promise<Buffer>> = {
    hdlr: (box) => patchBox(source, box, blankName(box)),
    iinf: () => boxOf('iinf', iinf.subarray(0, 4), ...tableOf(items.filter(isKept), iinf[0] === 0 ? 2 : 4)),
    iloc: () => boxOf('iloc', head, ...tableOf(rows.filter(isKept), (head[0] ?? 0) < 2 ? 2 : 4)),
    iref: () => boxOf('iref', ...writeReferences(iref, references, kept_ids)),
    iprp: (box) => keepProperties(source, box, isKept),
    idat: (box) => patchBox(source, box, zerosOf(box, gapsIn(box, kept))),
    ...{ pitm: asItIs, grpl: asItIs, dinf: asItIs },
  }
  const written: Buffer[] = []
  for (const box of sortBoxes(children)) {
    const write = writers[box.type]
    if (write !== undefined) written.push(await write(box))
  }
  const dropped = rangesIn(rows.filter((row) => !isKept(row)))
  return { bytes: await writeMeta(source, meta, written), kept, dropped }
}

function readPrimary(pitm: Buffer): number {
  if (pitm.length < FULL_BOX_BYTES + 2) throw new CorruptImage('a HEIF without a primary image')
  return pitm.readUIntBE(FULL_BOX_BYTES, pitm[0] === 0 ? 2 : 4)
}

function sortBoxes(boxes: readonly Box[]): Box[] {
  const first = FIRST_BOXES.flatMap((wanted) => boxes.filter(({ type }) => type === wanted))
  return [...first, ...boxes.filter((box) => !first.includes(box))]
}

/** Encodes the number of rows, followed by the rows. */
function tableOf(rows: readonly Row[], count_bytes: number): Buffer[] {
  return [numberOf(rows.length, count_bytes), ...rows.map(({ bytes }) => bytes)]
}

function writeReferences(
  iref: Buffer,
  references: readonly Reference[],
  kept: ReadonlySet<number>,
): Buffer[] {
  const id_bytes = iref[0] === 0 ? 2 : 4
  const shown = references.flatMap(({ type, from, to }) => {
    const left = to.filter((id) => kept.has(id))
    return DESCRIBING.has(type) || !kept.has(from) || left.length === 0 ? [] : [{ type, from, to: left }]
  })
  const written = shown.map(({ type, from, to }) => {
    const ids = to.map((id) => numberOf(id, id_bytes))
    return boxOf(type, numberOf(from, id_bytes), numberOf(to.length, 2), ...ids)
  })
  return [iref.subarray(0, FULL_BOX_BYTES), ...written]
}

async function keepProperties(
  source: ByteSource,
  iprp: Box,
  isKept: (row: { id: number }) => boolean,
): Promise<Buffer> {
  const written: Buffer[] = []
  for (const box of await boxesIn(source, iprp)) {
    if (box.type === 'ipco') {
      // Removed properties are replaced with free space, because items refer to properties by position.
      const dropped = (await boxesIn(source, box)).filter(({ type }) => !KEPT_PROPERTIES.has(type))
      written.push(await patchBox(source, box, dropped.flatMap(blankBox)))
    } else if (box.type === 'ipma') {
      const { head, rows } = readAssociations(await readBox(source, box))
      written.push(boxOf('ipma', head, ...tableOf(rows.filter(isKept), 4)))
    }
  }
  return boxOf('iprp', ...written)
}

/** Returns the type of each auxiliary image, keyed by item. */
async function readAuxiliaryTypes(
  source: ByteSource,
  children: readonly Box[],
): Promise<Map<number, string>> {
  const iprp = children.find(({ type }) => type === 'iprp')
  const parts = iprp === undefined ? [] : await boxesIn(source, iprp)
  const container = parts.find(({ type }) => type === 'ipco')
  const properties = container === undefined ? [] : await boxesIn(source, container)
  const types = new Map<number, string>()
  for (const part of parts.filter(({ type }) => type === 'ipma')) {
    for (const row of readAssociations(await readBox(source, part)).rows) {
      const auxiliary = row.properties.map((at) => properties[at - 1]).find((box) => box?.type === 'auxC')
      if (auxiliary === undefined) continue
      const [type = ''] = (await readBox(source, auxiliary)).toString('latin1', FULL_BOX_BYTES).split('\0')
      types.set(row.id, type)
    }
  }
  return types
}

/**
 * Fills a shortened box with free space to keep everything after it in place. A box that extends to the end of the
 * file gets an explicit size, because exiftool would not read it otherwise.
 */
async function writeMeta(source: ByteSource, meta: Box, children: readonly Buffer[]): Promise<Buffer> {
  const head = Buffer.from(await source.read(meta.start, meta.body + FULL_BOX_BYTES - meta.start))
  if (head.readUInt32BE(0) === 0) head.writeUInt32BE(meta.end - meta.start)
  const written = Buffer.concat([head, ...children])
  const left = meta.end - meta.start - written.length
  if (left !== 0 && left < 8) throw new CorruptImage('a HEIF whose list of items leaves no room')
  return left === 0 ? written : Buffer.concat([written, boxOf('free', Buffer.alloc(left - 8))])
}

function numberOf(value: number, bytes: number): Buffer {
  const buffer = Buffer.alloc(bytes)
  buffer.writeUIntBE(value, 0, bytes)
  return buffer
}
