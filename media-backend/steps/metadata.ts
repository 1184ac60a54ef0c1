import { rename, stat } from 'node:fs/promises'
import type { Metadata } from 'sharp'
import type { MetadataStep, MetadataStrip } from '../../shared/operations/steps.ts'
import { imageFacts } from '../facts/image.ts'
import { JobFailure } from '../failure.ts'
import { fileIn } from '../folder.ts'
import type { Run } from '../job.ts'
import type { ImageMeasure } from './image.ts'
import { runImageProgram } from './image-program.ts'
import { checkPngMetadata } from './png-chunks.ts'
import { imageFailure, openImage } from './sharp.ts'

/** exiftool takes the kind of a file from its name where there is an extension: no name has one here. */
const WRITTEN = 'written'

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

const STRIPS: Record<MetadataStrip, readonly string[]> = {
  none: [],
  gps: PLACES.map((name) => `-${name}=`),
  // The colour profile says how to show the picture, not what it is about. CommonIFD0 is the part of a
  // TIFF's own description that no reader needs.
  all: ['-all=', '-CommonIFD0=', '-trailer:all=', '--icc_profile:all'],
}

/**
 * Changes metadata by exiftool, which rewrites what lies around the pixels and leaves those alone.
 * @throws JobFailure when the file is too broken for that.
 */
export async function runMetadata(step: MetadataStep, run: Run): Promise<ImageMeasure> {
  const { orientation = 1 } = await readHeader(step, run)
  const read = [step.input, ...(step.copy_from === null ? [] : [step.copy_from])]
  let bytes = 0
  for (const path of read.map((file) => fileIn(run.folder, file))) {
    await checkPngMetadata(path)
    bytes += (await stat(path)).size
  }
  const { code } = await runImageProgram('exiftool', metadataArguments(step, orientation), run, {
    memory_bytes_max: MEMORY_BYTES_MAX + 3 * bytes,
    file_bytes_max: bytes + WRITTEN_BYTES_MAX,
    cpu_seconds_max: CPU_SECONDS_MAX,
  })
  if (code !== 0) {
    throw new JobFailure(
      'input_unreadable',
      'The metadata of the picture cannot be changed: the file is damaged or incomplete.',
    )
  }
  await rename(fileIn(run.folder, WRITTEN), fileIn(run.folder, step.output.file))
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

/**
 * No settings file of the machine, minor faults of the file forgiven, numbers as they are stored.
 * @param orientation of the input; it stays, whatever goes, since the pixels stay as they lie.
 */
function metadataArguments(step: MetadataStep, orientation: number): string[] {
  const { input, copy_from, strip, tags } = step
  const copied = copy_from === null ? STRIPS[strip] : copyFrom(copy_from, strip)
  const turned = strip === 'all' && orientation > 1 ? [`-IFD0:Orientation=${orientation}`] : []
  const written = Object.entries(tags).map(([name, value]) => `-${name}=${value}`)
  return ['-config', '', '-q', '-q', '-m', '-n', ...copied, ...turned, ...written, '-o', WRITTEN, input]
}

/** What the pixels' own program left out. They are upright by now, and the small copy of the old ones goes. */
function copyFrom(file: string, strip: MetadataStrip): string[] {
  const copied = ['-tagsfromfile', file, '-EXIF:all', '-XMP:all', '-IPTC:all']
  const dropped = ['--Orientation', '--IFD1:all', '--ThumbnailImage', '--ExifImageWidth', '--ExifImageHeight']
  const places = strip === 'gps' ? PLACES.map((name) => `--${name}`) : []
  return [...copied, ...dropped, ...places]
}
