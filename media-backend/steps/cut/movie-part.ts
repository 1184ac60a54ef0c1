import { type FileHandle, open, rm } from 'node:fs/promises'
import type { JoinStep } from '../../../shared/planning/steps.ts'
import type { Run } from '../../runtime/run.ts'
import { CutMismatch } from './cut-mismatch.ts'
import type { MovieTrack, Sample } from './movie-samples.ts'

/** A file whose video track becomes a part of the joined one. */
export type MoviePart = JoinStep['parts'][number] & { path: string; track: MovieTrack }

/** The sample entry, whose boxes include the decoder configuration. */
export const ENTRY = 'moov/trak/mdia/minf/stbl/stsd/*'

/** Larger than any coded frame of a supported size. */
const SAMPLE_BYTES_MAX = 256 * 1024 ** 2

/** Writes the changed samples of a part to another file, which replaces the part. */
export async function rewritePart(
  part: MoviePart,
  change: (sample: Buffer, position: number) => Buffer,
  { signal }: Run,
): Promise<MoviePart> {
  const path = `${part.path}.rewritten`
  const [source, target] = [await open(part.path), await open(path, 'w')]
  try {
    const samples: Sample[] = []
    let offset = 0
    for (const [position, sample] of part.track.samples.entries()) {
      signal.throwIfAborted()
      const bytes = change(await readSample(source, sample), position)
      await target.writeFile(bytes)
      samples.push({ ...sample, offset, size: bytes.length })
      offset += bytes.length
    }
    await rm(part.path)
    return { ...part, path, track: { ...part.track, samples } }
  } finally {
    await Promise.all([source.close(), target.close()])
  }
}

/** @throws CutMismatch if the sample is not in the file. */
export async function readSample(file: FileHandle, { offset, size }: Sample): Promise<Buffer> {
  if (size > SAMPLE_BYTES_MAX) throw new CutMismatch('a frame is too large')
  const bytes = Buffer.alloc(size)
  const { bytesRead } = await file.read(bytes, 0, size, offset)
  if (bytesRead !== size) throw new CutMismatch('a frame is truncated')
  return bytes
}
