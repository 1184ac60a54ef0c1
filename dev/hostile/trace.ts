import { join } from 'node:path'

/** What a program may read outside a job's folder: itself, its libraries and fonts, what the kernel tells. */
const SYSTEM = [
  ...['/usr/', '/lib', '/bin/', '/etc/', '/proc/', '/sys/', '/dev/', '/var/cache/fontconfig/', '/var/lib/'],
]
/** Of those, what tells about people. */
const SECRET = ['/etc/shadow', '/etc/ssh/', '/proc/1/']

export interface Trace {
  opened: number
  connected: number
  /** Every call that isn't allowed, as strace shows it. */
  faults: string[]
}

export interface Allowed {
  /** Folders that may be read and written. */
  folders: readonly string[]
}

/**
 * Reads a log of `strace -f` of openat, open, connect, bind and getsockname. Connections are allowed to
 * ports of loopback that the traced processes themselves listen on: the storage, and the server of parts.
 */
export function readTrace(lines: Iterable<string>, { folders }: Allowed): Trace {
  const trace: Trace = { opened: 0, connected: 0, faults: [] }
  const listening = new Set<string>()
  for (const line of wholeLines(lines)) {
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

/** A call that another process interrupted stands in two lines: `… <unfinished ...>`, `<... open resumed>…`. */
function* wholeLines(lines: Iterable<string>): Generator<string> {
  const begun = new Map<string, string>()
  for (const line of lines) {
    const pid = line.split(' ', 1)[0] ?? ''
    const unfinished = /^(.*) <unfinished \.\.\.>$/.exec(line)?.[1]
    const resumed = /<\.\.\. \w+ resumed>(.*)$/.exec(line)?.[1]
    if (unfinished !== undefined) begun.set(pid, unfinished)
    else yield resumed === undefined ? line : `${begun.get(pid) ?? ''}${resumed}`
  }
}

function isAllowedPath(path: string, line: string, folders: readonly string[]): boolean {
  // What isn't there can't be read.
  if (/= -1 E(NOENT|NOTDIR|ACCES)/.test(line)) return true
  // A relative name is looked for in the job's folder, where each program is started.
  const absolute = join('/job', path)
  if (!path.startsWith('/')) return absolute.startsWith('/job')
  if (SECRET.some((secret) => path.startsWith(secret))) return false
  return [...SYSTEM, ...folders].some((folder) => join(path, '/').startsWith(folder))
}

function isAllowedConnection(line: string, listening: ReadonlySet<string>): boolean {
  if (/AF_UNIX.*nscd\/socket/.test(line)) return true
  const [, port, address] = /sin_port=htons\((\d+)\), sin_addr=inet_addr\("([^"]*)"\)/.exec(line) ?? []
  return address === '127.0.0.1' && port !== undefined && listening.has(port)
}
