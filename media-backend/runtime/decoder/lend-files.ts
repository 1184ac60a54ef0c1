import { constants, copyFile, link, lstat, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileIn } from '../folder.ts'

/** Makes files of a job visible in the folder of a decoder. Where links are not possible, copies them. */
export async function lendFiles(names: readonly string[], from: string, to: string): Promise<void> {
  for (const name of names) {
    const [source, target] = [fileIn(from, name), fileIn(to, name)]
    await link(source, target).catch(() => copyFile(source, target, constants.COPYFILE_EXCL))
  }
}

/**
 * Moves the files that a decoder has written to the folder of their job.
 * @throws Error if one is not a file: a link would lead the upload elsewhere.
 */
export async function takeFiles(names: readonly string[], from: string, to: string): Promise<void> {
  for (const name of names) {
    const written = await lstat(fileIn(from, name)).catch(() => null)
    if (written === null) continue
    if (!written.isFile()) throw new Error('the decoder of images wrote something else than a file')
    await rename(fileIn(from, name), fileIn(to, name))
  }
}

/** Leaves nothing of a job for the next one. */
export async function clearFolder(folder: string): Promise<void> {
  for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true, force: true })
}
