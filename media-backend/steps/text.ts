import { writeFile } from 'node:fs/promises'
import type { TextStep } from '../../shared/planning/steps.ts'
import type { Run } from '../job/job.ts'
import { fileIn } from '../runtime/folder.ts'

/** Writes a text that a later step reads: captions, a title to draw, a transcript. */
export async function writeText({ file, content }: TextStep, run: Run): Promise<void> {
  await writeFile(fileIn(run.folder, file), content, { mode: 0o600 })
}
