import {
  constants,
  copyFileSync,
  linkSync,
  lstatSync,
  readdirSync,
  renameSync,
  rmSync,
  unlinkSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileIn } from '../folder.ts'

// These calls take microseconds. As promises, they would take more CPU time than the header of an image.

/** Makes files of a job visible in the folder of a decoder. Where links are not possible, copies them. */
export function lendFiles(names: readonly string[], from: string, to: string): void {
  for (const name of names) {
    const [source, target] = [fileIn(from, name), fileIn(to, name)]
    try {
      linkSync(source, target)
    } catch {
      copyFileSync(source, target, constants.COPYFILE_EXCL)
    }
  }
}

/**
 * Moves the files that a decoder has written to the folder of their job.
 * @throws Error if one is not a file: a link would lead the upload elsewhere.
 */
export function takeFiles(names: readonly string[], from: string, to: string): void {
  for (const name of names) {
    const written = lstatSync(fileIn(from, name), { throwIfNoEntry: false })
    if (written === undefined) continue
    if (!written.isFile()) throw new Error('the decoder of images wrote something else than a file')
    renameSync(fileIn(from, name), fileIn(to, name))
  }
}

/** Leaves nothing of a job for the next one. */
export function clearFolder(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) rmSync(path, { recursive: true, force: true })
    else unlinkSync(path)
  }
}
