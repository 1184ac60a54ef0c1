import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CODECS_HEADING, writeCodecPart } from './quality/codec-page.ts'
import { compareCodecs } from './quality/compare-codecs.ts'
import { measureImages } from './quality/measure-images.ts'
import { measureOperations } from './quality/measure-operations.ts'
import { measureVideos } from './quality/measure-videos.ts'
import { OPERATIONS_HEADING, writeOperationPart } from './quality/operation-page.ts'
import { VIDEOS_HEADING, writeVideoPart } from './quality/video-page.ts'
import { ROOT } from './system/root.ts'

/**
 * Measures what compression costs in bytes, similarity and time, and writes that part of docs/quality.md. NAME says what
 * the files are.
 *
 * - `npm run quality -- images FOLDER [NAME]`: image encoder settings and the search of `web_optimize`
 * - `npm run quality -- videos FOLDER [NAME]`: the search of `compress` (VMAF: dev/quality/measure-video.ts)
 * - `npm run quality -- operations FOLDER [NAME]`: the search of other operations
 * - `npm run quality -- codecs FOLDER [NAME]`: the codecs of `compress` (requires VMAF)
 *
 * QUALITY_CACHE names a folder that keeps measurements of encodes, so that a run repeats only those that differ.
 */
const PAGE = join(ROOT, 'docs/quality.md')
const KINDS = ['images', 'videos', 'operations', 'codecs'] as const
const [name, folder, corpus = folder] = process.argv.slice(2)
const kind = KINDS.find((each) => each === name)
if (folder === undefined || corpus === undefined || kind === undefined)
  throw new Error(`Name a kind of files (${KINDS.join(', ')}) and a folder.`)

const page = readFileSync(PAGE, 'utf8')
const codecs_at = startOf(CODECS_HEADING, page.length)
const operations_at = startOf(OPERATIONS_HEADING, codecs_at)
const videos_at = startOf(VIDEOS_HEADING, operations_at)
const parts = {
  images: page.slice(0, videos_at),
  videos: page.slice(videos_at, operations_at),
  operations: page.slice(operations_at, codecs_at),
  codecs: page.slice(codecs_at),
}
const written = { ...parts, [kind]: await writePart(folder, corpus) }
writeFileSync(PAGE, KINDS.map((each) => written[each]).join(''))
execFileSync(join(ROOT, 'node_modules/.bin/biome'), ['format', '--write', PAGE])
console.log('Wrote docs/quality.md')

function startOf(heading: string, otherwise: number): number {
  const at = page.indexOf(`\n${heading}\n`)
  return at < 0 ? otherwise : at
}

async function writePart(files: string, described: string): Promise<string> {
  if (kind === 'images') return measureImages(files, described)
  if (kind === 'codecs') return `\n${writeCodecPart(described, await compareCodecs(files))}`
  if (kind === 'operations') return `\n${writeOperationPart(described, await measureOperations(files))}`
  const levels = {
    light: await measureVideos(files, 'light', 2),
    medium: await measureVideos(files, 'medium', 1),
    strong: await measureVideos(files, 'strong', 2),
  }
  const part = writeVideoPart({ corpus: described, levels })
  writeFileSync(join(ROOT, 'docs/images/quality-videos.svg'), part.plot)
  return `\n${part.page}`
}
