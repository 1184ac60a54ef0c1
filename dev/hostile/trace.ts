import { join } from 'node:path'

/** Folders outside a job's folder that programs may read: executables, libraries, fonts, and kernel interfaces. */
const SYSTEM_FOLDERS = [
  ...['/usr/', '/lib', '/bin/', '/etc/', '/proc/', '/sys/', '/dev/', '/var/cache/fontconfig/', '/var/lib/'],
]
/** Paths within the system folders that programs must not read. */
const SECRET_PATHS = ['/etc/shadow', '/etc/ssh/', '/proc/1/']

export interface Trace {
  opened: number
  connected: number
  /** Disallowed calls, as printed by strace. */
  faults: string[]
}

export interface Allowed {
  /** Folders that programs may read and write. */
  folders: readonly string[]
}

/**
 * Finds faults in a log of `strace -f` that traces openat, open, connect, and getsockname. Connections are allowed
 * only to loopback ports on which the traced processes listen: the storage and the part server.
 */
export function readTrace(lines: Iterable<string>, { folders }: Allowed): Trace {
  const trace: Trace = { opened: 0, connected: 0, faults: [] }
  const listening = new Set<string>()
  for (const line of joinInterrupted(lines)) {
    const port = /getsockname\(.*sin_port=htons\((\d+)\)/.exec(line)?.[1]
    if (port !== undefined) listening.add(port)
    const path = /\bopen(?:at)?\((?:AT_FDCWD, )?"([^"]*)"/.exec(line)?.[1]
    if (path !== undefined) {
      trace.opened += 1
      if (!isAllowedPath(path, line, folders)) trace.faults.push(line)
    }
    if (/\bconnect\(/.test(line)) {
      trace.connected += 1
      if (!isAllowedConnection(line, listening)) trace.faults.push(line)
    }
  }
  return trace
}

/** Joins calls that strace splits across two lines: `… <unfinished ...>` and `<... open resumed>…`. */
function* joinInterrupted(lines: Iterable<string>): Generator<string> {
  const started = new Map<string, string>()
  for (const line of lines) {
    const pid = line.split(' ', 1)[0] ?? ''
    const unfinished = /^(.*) <unfinished \.\.\.>$/.exec(line)?.[1]
    const resumed = /<\.\.\. \w+ resumed>(.*)$/.exec(line)?.[1]
    if (unfinished !== undefined) started.set(pid, unfinished)
    else yield resumed === undefined ? line : `${started.get(pid) ?? ''}${resumed}`
  }
}

function isAllowedPath(path: string, line: string, folders: readonly string[]): boolean {
  // Failed calls read nothing.
  if (/= -1 E(NOENT|NOTDIR|ACCES)/.test(line)) return true
  // Relative paths resolve against the job's folder, which is each program's working directory.
  const absolute = join('/job', path)
  if (!path.startsWith('/')) return absolute.startsWith('/job')
  if (SECRET_PATHS.some((secret) => path.startsWith(secret))) return false
  return [...SYSTEM_FOLDERS, ...folders].some((folder) => join(path, '/').startsWith(folder))
}

function isAllowedConnection(line: string, listening: ReadonlySet<string>): boolean {
  if (/AF_UNIX.*nscd\/socket/.test(line)) return true
  const [, port, address] = /sin_port=htons\((\d+)\), sin_addr=inet_addr\("([^"]*)"\)/.exec(line) ?? []
  return address === '127.0.0.1' && port !== undefined && listening.has(port)
}
