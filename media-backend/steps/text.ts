import { writeFile } from 'node:fs/promises'
import type { TextStep } from '../../shared/planning/steps.ts'
import { fileIn } from '../runtime/folder.ts'
import type { Run } from '../runtime/run.ts'

/** Writes text for a later step: captions, a title to draw, or a transcript. */
export async function writeText({ file, content }: TextStep, run: Run): Promise<void> {
  await writeFile(fileIn(run.folder, file), content, { mode: 0o600 })
}
