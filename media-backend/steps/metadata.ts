import { rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { z } from 'zod'
import { type MetadataPart, type MetadataStep, SOURCE } from '../../shared/planning/steps.ts'
import { decode } from '../runtime/decoder/decode.ts'
import type { Header } from '../runtime/decoder/tasks.ts'
import { failWith, type JobFailure } from '../runtime/failure.ts'
import { fileIn } from '../runtime/folder.ts'
import { readHead } from '../runtime/image-head.ts'
import { runImageProgram } from '../runtime/image-program.ts'
import { isForKept, runKeptExiftool } from '../runtime/kept-exiftool.ts'
import { errorText, log } from '../runtime/log.ts'
import type { Run } from '../runtime/run.ts'
import { outOfTime } from '../runtime/sharp.ts'
import { CorruptImage } from '../strip/bytes.ts'
import { stripImage } from '../strip/index.ts'
import { dropCorruptJumbf } from '../strip/jumbf.ts'
import { leftBehind } from '../strip/left-behind.ts'
import { PERSONAL, PNG_TEXT_AS_XMP } from '../strip/personal.ts'
import { blankPlaces, PLACES, placesAmong } from '../strip/places.ts'
import { copyPngText, type TextParts } from '../strip/png-text.ts'
import type { ImageMeasure } from './image/measure.ts'
import { checkPngMetadata } from './image/png-chunks.ts'
import { requireWhole } from './image/require-whole.ts'
import { declareAlpha } from './image/webp-alpha.ts'

/** These file names have no extension, because exiftool would derive the format from it. */
const WRITTEN = 'written'
const STRIPPED = 'stripped'
const TEXTED = 'texted'

/** Lists all tags as JSON. */
const LIST = ['-q', '-j', '-a', '-u', '-G1']
const BIG_TIFF = /^(II\+\0|MM\0\+)/
const COMPONENTS = 'ExifIFD:ComponentsConfiguration'
/** Memory that exiftool needs for a normal file, estimated generously. */
export const METADATA_BYTES = 64 * 1024 ** 2
/** Memory limit of exiftool, not counting copies of the file. */
const MEMORY_BYTES_MAX = 1024 ** 3
/** Maximum number of bytes that exiftool may add to a file. */
const WRITTEN_BYTES_MAX = 16 * 1024 ** 2
/** exiftool copies the largest image in a few seconds. XMP of hundreds of megabytes would take minutes. */
const CPU_SECONDS_MAX = 30

/**
 * Changes the metadata of an image without changing any of its pixels.
 * @throws JobFailure if the file is too corrupt.
 */
export async function runMetadata(step: MetadataStep, run: Run): Promise<ImageMeasure> {
  const header = await decode('header', { file: step.input }, run)
  if (step.input === SOURCE) await requireWhole(step.input, header, run)
  const result = await change(step, header, run)
  if (header.format === 'webp') await declareAlpha(fileIn(run.folder, result))
  await rename(fileIn(run.folder, result), fileIn(run.folder, step.output.file))
  return (await decode('header', { file: step.output.file }, run)).shown
}

/**
 * Changes the metadata as the step specifies.
 * @returns the name of the written file.
 */
async function change(step: MetadataStep, header: Header, run: Run): Promise<string> {
  const { strip } = step
  const tags = withSize(step.tags, header)
  if (strip === 'all' && tags.length === 0) {
    await stripAll(step.input, header, [], run)
    return STRIPPED
  }
  if (strip === 'all') {
    await stripAll(step.input, header, writeArguments(tags, STRIPPED), run)
    return WRITTEN
  }
  const input = await makeReadable(step.input, header, run)
  const copy_from = step.copy_from === null ? null : await makeReadable(step.copy_from, header, run)
  if (strip.includes('device')) {
    const source = copy_from ?? input
    await stripAll(input, header, [], run)
    const parts = { place: !strip.includes('place'), device: false }
    const target = await withText({ from: source, to: STRIPPED, format: header.format, parts }, run)
    const kept = ['-tagsfromfile', source, ...movedText(header), ...keptWithDevice(strip)]
    await runExiftool([writeArguments([...kept, ...tags], target)], [source, target], run)
  } else if (copy_from === null) await stripPlaces(input, header, tags, run)
  else {
    const parts = { place: false, device: true }
    const target = await withText({ from: copy_from, to: input, format: header.format, parts }, run)
    await runExiftool(
      [writeArguments([...copyFrom(copy_from, movedText(header)), ...tags], target)],
      [target, copy_from],
      run,
    )
  }
  return WRITTEN
}

/**
 * Makes a file readable for exiftool.
 * @returns the name of the file, or of a copy if the original would exhaust exiftool's memory.
 */
async function makeReadable(file: string, { format }: Header, run: Run): Promise<string> {
  const copy = `readable-${file}`
  let is_copied = false
  await correctly(format, run, async (signal) => {
    is_copied = await dropCorruptJumbf(fileIn(run.folder, file), fileIn(run.folder, copy), signal)
  })
  return is_copied ? copy : file
}

/**
 * Adds the text of one PNG to another.
 * @returns the name of the result, or of the unchanged image if it is not a PNG.
 */
async function withText(
  { from, to, format, parts }: { from: string; to: string; format: string; parts: TextParts },
  { folder, signal }: Run,
): Promise<string> {
  if (format !== 'png') return to
  await checkPngMetadata(fileIn(folder, from))
  const files = { from: fileIn(folder, from), to: fileIn(folder, to), output: fileIn(folder, TEXTED) }
  await copyPngText(files, parts, signal)
  return TEXTED
}

/**
 * Returns the step's tags as exiftool arguments. A device also writes the stored size of its image, except in a
 * TIFF. There, TIFF tags state the size and component order, so EXIF must not contain them.
 */
function withSize(tags: MetadataStep['tags'], { format, width, height }: Header): string[] {
  const named = Object.entries(tags)
  if (named.length === 0) return []
  // By default, exiftool would add the component order.
  if (format === 'tiff') return assignments([...named, [COMPONENTS, '']])
  const size: [string, number][] = [
    ['ExifIFD:ExifImageWidth', width],
    ['ExifIFD:ExifImageHeight', height],
  ]
  return assignments([...named, ...size])
}

function assignments(tags: readonly (readonly [string, string | number])[]): string[] {
  return tags.map(([name, value]) => `-${name}=${value}`)
}

/**
 * Keeps only what is needed to display the image, and has exiftool check that nothing else is left.
 * @param then arguments for further work in the same exiftool run.
 */
async function stripAll(input: string, header: Header, then: readonly string[], run: Run): Promise<void> {
  const { format, orientation = 1 } = header
  await correctly(format, run, (signal) => {
    const source = { input: fileIn(run.folder, input), format, orientation }
    return stripImage(source, fileIn(run.folder, STRIPPED), signal)
  })
  const list = [...LIST, STRIPPED]
  const listed = await runExiftool(then.length === 0 ? [list] : [list, then], [STRIPPED], run)
  refuseLeft(leftBehind(Object.keys(tagsIn(listed))), format)
}

/** Removes places from all metadata and checks that none are left. */
async function stripPlaces(
  input: string,
  { format }: Header,
  tags: readonly string[],
  run: Run,
): Promise<void> {
  await correctly(format, run, (signal) =>
    blankPlaces(format, fileIn(run.folder, input), fileIn(run.folder, STRIPPED), signal),
  )
  const remove = (names: readonly string[]) => [
    writeArguments([...names.map((name) => `-${name}=`), ...tags], STRIPPED),
    [...LIST, WRITTEN],
  ]
  const left = placesAmong(tagsIn(await runExiftool(remove(PLACES), [STRIPPED], run)))
  if (left.length === 0) return
  // Maker notes may contain location data, and individual values cannot be removed from them.
  await rm(fileIn(run.folder, WRITTEN))
  const still = await runExiftool(remove([...PLACES, 'MakerNotes:all']), [STRIPPED], run)
  refuseLeft(placesAmong(tagsIn(still)), format)
}

/**
 * Runs a rewrite within the time limit for one image.
 * @throws JobFailure if the file is corrupt or the rewrite takes too long.
 */
async function correctly(
  format: string,
  { signal, environment }: Run,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const limit = AbortSignal.timeout(environment.IMAGE_SECONDS_MAX * 1000)
  try {
    await work(AbortSignal.any([signal, limit]))
  } catch (error) {
    if (limit.aborted && !signal.aborted) throw outOfTime()
    if (!(error instanceof CorruptImage)) throw error
    log('strip_failed', { format, error: error.message })
    throw unchangeable()
  }
}

/**
 * Parses the list that exiftool printed.
 * @throws JobFailure if the metadata made exiftool print something else, which a retry would not change.
 */
function tagsIn(listed: string): Record<string, unknown> {
  try {
    return TagList.parse(JSON.parse(listed))[0]
  } catch (error) {
    log('metadata_unlisted', { error: errorText(error), listed: listed.slice(0, 200) })
    throw unchangeable()
  }
}

function refuseLeft(names: readonly string[], format: string): void {
  if (names.length === 0) return
  log('metadata_left_behind', { format, tags: names.slice(0, 20) })
  throw failWith('metadata_left')
}

const TagList = z.tuple([z.record(z.string(), z.unknown())])

type Commands = readonly (readonly string[])[]

/**
 * Runs exiftool commands, one after the other.
 * @param read the files that they read.
 * @returns their output.
 */
async function runExiftool(commands: Commands, read: readonly string[], run: Run): Promise<string> {
  let bytes = 0
  for (const path of read.map((file) => fileIn(run.folder, file))) {
    await checkPngMetadata(path)
    bytes += (await stat(path)).size
  }
  const kept = isForKept(bytes, run.environment) ? await runKept(commands, run) : null
  if (kept !== null) return kept
  // An empty `-config` makes exiftool ignore the machine's configuration.
  const args = commands.flatMap((command, at) => (at === 0 ? command : ['-execute', ...command]))
  const { code, stdout } = await runImageProgram('exiftool', ['-config', '', ...args], run, {
    memory_bytes_max: MEMORY_BYTES_MAX + 3 * bytes,
    file_bytes_max: bytes + WRITTEN_BYTES_MAX,
    cpu_seconds_max: CPU_SECONDS_MAX,
  })
  if (code !== 0) throw await explainUnchanged(read, run)
  return stdout
}

/** Runs the commands in a kept process. If that fails, nothing is written. */
async function runKept(commands: Commands, { folder, signal }: Run): Promise<string | null> {
  const output = await runKeptExiftool(commands, { folder, root: dirname(folder), signal })
  if (output === null) await rm(fileIn(folder, WRITTEN), { force: true })
  return output
}

/** Explains why exiftool changed nothing. It cannot write BigTIFF. */
async function explainUnchanged(read: readonly string[], { folder }: Run): Promise<JobFailure> {
  const heads = await Promise.all(read.map((file) => readHead(fileIn(folder, file), 4)))
  if (!heads.some((head) => BIG_TIFF.test(head.toString('latin1')))) return unchangeable()
  return failWith('big_tiff_metadata')
}

function unchangeable(): JobFailure {
  return failWith('metadata_unchangeable')
}

/** Returns the arguments for a rewrite that tolerates minor errors and uses raw numbers. */
function writeArguments(changes: readonly string[], input: string): string[] {
  return ['-q', '-q', '-m', '-n', ...changes, '-o', WRITTEN, input]
}

/**
 * Returns the arguments that copy what the encoder dropped, except places. Also excludes the old preview, and the
 * orientation, because the pixels are upright by now.
 */
function copyFrom(file: string, moved: readonly string[]): string[] {
  const copied = ['-tagsfromfile', file, ...moved, '-EXIF:all', '-XMP:all', '-IPTC:all', '-File:Comment']
  const dropped = ['--Orientation', '--IFD1:all', '--ThumbnailImage', '--ExifImageWidth', '--ExifImageHeight']
  return [...copied, ...dropped, ...PLACES.map((name) => `--${name}`)]
}

/**
 * Returns the arguments that copy the text of a PNG that was converted to another format. XMP in the image itself
 * overrides this text.
 */
function movedText({ format }: Header): string[] {
  return format === 'png' ? [] : PNG_TEXT_AS_XMP.map((name) => `-${name}`)
}

/**
 * Returns the arguments that copy the tags to keep when device tags are stripped: tags written by people rather
 * than by devices, except places if those are stripped too.
 */
function keptWithDevice(strip: readonly MetadataPart[]): string[] {
  const places = strip.includes('place') ? PLACES.map((name) => `--${name}`) : []
  return [...PERSONAL.map((name) => `-${name}`), ...places]
}
