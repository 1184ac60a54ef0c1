import { rename, stat } from 'node:fs/promises'
import type { Metadata } from 'sharp'
import { z } from 'zod'
import type { MetadataStep, MetadataStrip } from '../../shared/operations/steps.ts'
import { imageFacts } from '../facts/image.ts'
import { JobFailure } from '../failure.ts'
import { fileIn } from '../folder.ts'
import type { Run } from '../job.ts'
import { log } from '../log.ts'
import { CorruptImage } from '../strip/bytes.ts'
import { stripImage } from '../strip/index.ts'
import { leftBehind } from '../strip/left-behind.ts'
import type { ImageMeasure } from './image.ts'
import { runImageProgram } from './image-program.ts'
import { checkPngMetadata } from './png-chunks.ts'
import { imageFailure, openImage } from './sharp.ts'

/** exiftool derives the format from the extension, if there is one: these have none. */
const WRITTEN = 'written'
const STRIPPED = 'stripped'

/** What tells a place: by GPS in EXIF and XMP, and by name in XMP and IPTC. */
const PLACES = [
  ...['GPS:all', 'XMP:*GPS*', 'XMP-iptcExt:Location*', 'XMP-iptcCore:Location', 'XMP-iptcCore:CountryCode'],
  ...['XMP-photoshop:City', 'XMP-photoshop:State', 'XMP-photoshop:Country'],
  ...['IPTC:City', 'IPTC:Sub-location', 'IPTC:Province-State', 'IPTC:Country*', 'IPTC:ContentLocation*'],
]

/** What exiftool takes of memory for an honest file, generously. */
export const METADATA_BYTES = 64 * 1024 ** 2
/** Its limit beside the file itself, of which it may hold copies. */
const MEMORY_BYTES_MAX = 1024 ** 3
/** What it may add to a file. */
const WRITTEN_BYTES_MAX = 16 * 1024 ** 2
/** It copies the largest image in a few seconds; XMP of hundreds of megabytes would take minutes. */
const CPU_SECONDS_MAX = 30

/**
 * Changes what surrounds the pixels of an image; those stay as they are, bit by bit.
 * @throws JobFailure when the file is too corrupt for that.
 */
export async function runMetadata(step: MetadataStep, run: Run): Promise<ImageMeasure> {
  const header = await readHeader(step, run)
  if (step.strip === 'all') await stripAll(step, header, run)
  else await runExiftool(editArguments(step), readFiles(step), run)
  const result = step.strip === 'all' && Object.keys(step.tags).length === 0 ? STRIPPED : WRITTEN
  await rename(fileIn(run.folder, result), fileIn(run.folder, step.output.file))
  const { width, height } = await imageFacts(fileIn(run.folder, step.output.file), run.environment)
  return { width, height }
}

async function readHeader({ input }: MetadataStep, run: Run): Promise<Metadata> {
  try {
    return await openImage(fileIn(run.folder, input), run.environment).metadata()
  } catch (error) {
    throw imageFailure(error, run.environment)
  }
}

/** Keeps what showing the image needs, has exiftool look for anything else, and writes the step's tags. */
async function stripAll({ input, tags }: MetadataStep, header: Metadata, run: Run): Promise<void> {
  const { format, orientation = 1 } = header
  try {
    const source = { input: fileIn(run.folder, input), format, orientation }
    await stripImage(source, fileIn(run.folder, STRIPPED), run.signal)
  } catch (error) {
    if (!(error instanceof CorruptImage)) throw error
    log('strip_failed', { format, error: error.message })
    throw unchangeable()
  }
  const writing = Object.keys(tags).length === 0 ? [] : ['-execute', ...writeArguments([], tags, STRIPPED)]
  const listed = await runExiftool(['-j', '-a', '-u', '-G1', STRIPPED, ...writing], [STRIPPED], run)
  const left = leftBehind(Object.keys(TagList.parse(JSON.parse(listed))[0]))
  if (left.length === 0) return
  log('metadata_left_behind', { format, tags: left.slice(0, 20) })
  throw new JobFailure(
    'processing_failed',
    'Not all metadata of the image can be removed. Convert it to another format instead.',
  )
}

const TagList = z.tuple([z.record(z.string(), z.unknown())])

/** @returns what exiftool printed. */
async function runExiftool(args: readonly string[], read: readonly string[], run: Run): Promise<string> {
  let bytes = 0
  for (const path of read.map((file) => fileIn(run.folder, file))) {
    await checkPngMetadata(path)
    bytes += (await stat(path)).size
  }
  // -config: no settings file of the machine.
  const { code, stdout } = await runImageProgram('exiftool', ['-config', '', ...args], run, {
    memory_bytes_max: MEMORY_BYTES_MAX + 3 * bytes,
    file_bytes_max: bytes + WRITTEN_BYTES_MAX,
    cpu_seconds_max: CPU_SECONDS_MAX,
  })
  if (code !== 0) throw unchangeable()
  return stdout
}

function unchangeable(): JobFailure {
  return new JobFailure(
    'input_unreadable',
    'The metadata of the image cannot be changed: the file is corrupt, or of a kind that is not supported here.',
  )
}

function readFiles({ input, copy_from }: MetadataStep): string[] {
  return copy_from === null ? [input] : [input, copy_from]
}

function editArguments({ input, copy_from, strip, tags }: MetadataStep): string[] {
  const places = strip === 'gps' ? PLACES.map((name) => `-${name}=`) : []
  const copied = copy_from === null ? places : copyFrom(copy_from, strip)
  return writeArguments(copied, tags, input)
}

/** Minor faults of the file are forgiven, and numbers are as they are stored. */
function writeArguments(copied: readonly string[], tags: MetadataStep['tags'], input: string): string[] {
  const written = Object.entries(tags).map(([name, value]) => `-${name}=${value}`)
  return ['-q', '-q', '-m', '-n', ...copied, ...written, '-o', WRITTEN, input]
}

/** What the pixels' own program left out. They are upright by now, and the small copy of the old ones goes. */
function copyFrom(file: string, strip: MetadataStrip): string[] {
  const copied = ['-tagsfromfile', file, '-EXIF:all', '-XMP:all', '-IPTC:all']
  const dropped = ['--Orientation', '--IFD1:all', '--ThumbnailImage', '--ExifImageWidth', '--ExifImageHeight']
  const places = strip === 'gps' ? PLACES.map((name) => `--${name}`) : []
  return [...copied, ...dropped, ...places]
}
