import { open } from 'node:fs/promises'
import type { Run } from '../../runtime/run.ts'
import { CutMismatch } from './cut-mismatch.ts'
import { breakLink, renumberSample } from './hevc-units.ts'
import type { Sample } from './movie-samples.ts'

/** Larger than any coded frame of a supported size. */
const SAMPLE_BYTES_MAX = 256 * 1024 ** 2

/** Writes the samples of an encoded part, with their new parameter sets, to another file. */
export async function renumberPart(
  path: string,
  samples: readonly Sample[],
  output: string,
  { signal }: Run,
): Promise<Sample[]> {
  const [source, target] = [await open(path), await open(output, 'w')]
  try {
    const renumbered: Sample[] = []
    let offset = 0
    for (const sample of samples) {
      signal.throwIfAborted()
      const bytes = renumberSample(await readSample(source, sample))
      await target.writeFile(bytes)
      renumbered.push({ ...sample, offset, size: bytes.length })
      offset += bytes.length
    }
    return renumbered
  } finally {
    await Promise.all([source.close(), target.close()])
  }
}

/** Makes the first copied frame independent of the frames before it (breakLink). */
export async function breakFirstLink(path: string, [first]: readonly Sample[]): Promise<void> {
  if (first === undefined) return
  const file = await open(path, 'r+')
  try {
    const bytes = await readSample(file, first)
    if (breakLink(bytes)) await file.write(bytes, 0, bytes.length, first.offset)
  } finally {
    await file.close()
  }
}

async function readSample(file: Awaited<ReturnType<typeof open>>, { offset, size }: Sample): Promise<Buffer> {
  if (size > SAMPLE_BYTES_MAX) throw new CutMismatch('a frame is too large')
  const bytes = Buffer.alloc(size)
  const { bytesRead } = await file.read(bytes, 0, size, offset)
  if (bytesRead !== size) throw new CutMismatch('a frame is truncated')
  return bytes
}
