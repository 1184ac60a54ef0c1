import { open } from 'node:fs/promises'
import type { Run } from '../../runtime/run.ts'
import { breakLink, renumberSample } from './hevc-units.ts'
import { type MoviePart, readSample, rewritePart } from './movie-part.ts'

/** Gives the encoded parts their own parameter sets, and starts the copied ones independently of what precedes them. */
export async function prepareHevc(parts: readonly MoviePart[], run: Run): Promise<MoviePart[]> {
  const prepared: MoviePart[] = []
  for (const [position, part] of parts.entries()) {
    if (!part.encoded && position > 0) await breakFirstLink(part)
    prepared.push(part.encoded ? await rewritePart(part, renumberSample, run) : part)
  }
  return prepared
}

/** Makes the first copied frame independent of the frames before it (breakLink). */
async function breakFirstLink({ path, track }: MoviePart): Promise<void> {
  const [first] = track.samples
  if (first === undefined) return
  const file = await open(path, 'r+')
  try {
    const bytes = await readSample(file, first)
    if (breakLink(bytes)) await file.write(bytes, 0, bytes.length, first.offset)
  } finally {
    await file.close()
  }
}
