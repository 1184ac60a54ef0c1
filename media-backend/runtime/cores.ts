import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'

/** Names the cores that this process may use. Processes with the same name share them. */
export const CORES = `${hostname()}/${allowedCores()}`

/** Returns an empty list on systems without /proc. */
function allowedCores(): string {
  try {
    return /^Cpus_allowed_list:\s*(\S+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? ''
  } catch {
    return ''
  }
}
