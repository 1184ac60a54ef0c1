import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'

/**
 * Names the machine and the cores of it that this process may use. Containers have host names of their own, but share
 * the boot id of their kernel.
 */
export const CORES = `${readProc('sys/kernel/random/boot_id', /^\S+/) ?? hostname()}/${allowedCores()}`

/** Returns an empty list, which stands for all cores, on systems without /proc. */
function allowedCores(): string {
  return readProc('self/status', /(?<=^Cpus_allowed_list:\s*)\S+/m) ?? ''
}

function readProc(path: string, pattern: RegExp): string | null {
  try {
    return pattern.exec(readFileSync(`/proc/${path}`, 'utf8'))?.[0] ?? null
  } catch {
    return null
  }
}
