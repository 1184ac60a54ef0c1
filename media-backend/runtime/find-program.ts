import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Returns the path of an installed program, or null if it is not found. */
export function findProgram(name: string): string | null {
  const path = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, name))
  return path.find(isExecutable) ?? null
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
