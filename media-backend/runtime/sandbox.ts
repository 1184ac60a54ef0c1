import { execFileSync } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { delimiter, dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findProgram } from './find-program.ts'

/** What a program that reads files of strangers may reach. Everything else of this machine is closed to it. */
export interface Access {
  /** The only folder in which it may write. */
  folder: string
  /** The only address that it may connect to, on this machine. */
  url?: string | undefined
  /** More files and folders that it may read. */
  reads?: readonly string[]
  /** More programs that it may run. */
  executes?: readonly string[]
}

export const LAUNCHER = fileURLToPath(new URL('./sandbox.pl', import.meta.url))
const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const PERL = process.platform === 'linux' ? findProgram('perl') : null
export const HAS_SANDBOX = PERL !== null

/** Programs and libraries. */
const EXECUTABLE = ['/usr', '/bin', '/sbin', '/lib', '/lib64']
/** Settings of libraries, and facts about the machine. They contain no secrets. */
const READABLE = [
  ...[
    'fonts',
    'ld.so.cache',
    'localtime',
    'ssl',
    'perl',
    'mime.types',
    'passwd',
    'group',
    'nsswitch.conf',
  ].map((name) => `/etc/${name}`),
  ...['/etc/hosts', '/etc/python3', '/etc/python3.11', '/etc/python3.13', '/var/cache/fontconfig'],
  ...['/proc/cpuinfo', '/proc/meminfo', '/proc/stat', '/sys/devices/system', '/sys/fs/cgroup'],
]
/** The code of this program, which its own child processes run. The rest of a checkout may contain secrets. */
const CODE = ['media-backend', 'shared', 'package.json'].map((name) => resolve(ROOT, name))
const MODULES = resolve(ROOT, 'node_modules')
/** Variables that name folders of libraries, fonts and caches. */
const FOLDER_VARIABLES = ['LD_LIBRARY_PATH', 'FONTCONFIG_FILE', 'FONTCONFIG_PATH', 'XDG_CACHE_HOME']

/** Returns the start of a command line that runs a program in the sandbox. Limits and `--` follow. */
export function sandboxCommand(
  program: string,
  { folder, url, reads = [], executes = [] }: Access,
): string[] {
  const path = program.includes('/') ? program : findProgram(program)
  const is_own = program === process.execPath
  const executable = [...EXECUTABLE, ...executes, ...(path === null ? [] : [dirname(path), realpathOf(path)])]
  const named = FOLDER_VARIABLES.flatMap((name) => process.env[name]?.split(delimiter) ?? [])
  const readable = [...READABLE, ...named, ...reads, ...(is_own ? CODE : [])]
  return [
    ...[PERL ?? '', LAUNCHER],
    ...[...executable, ...(is_own ? [MODULES] : [])].map((each) => `execute=${each}`),
    ...readable.map((each) => `read=${each}`),
    `write=${folder}`,
    ...(url === undefined ? [] : [`port=${new URL(url).port}`]),
  ]
}

function realpathOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

/** The mechanisms of the kernel that the sandbox uses (docs/isolation.md). */
export interface Isolation {
  /** Version of Landlock; 0 if the kernel has none. From 4 on, it limits connections; from 6 on, signals. */
  landlock: number
  seccomp: boolean
}

/** Asks the kernel which mechanisms it has. */
export function readIsolation(): Isolation {
  if (PERL === null) return { landlock: 0, seccomp: false }
  const [landlock, seccomp] = execFileSync(PERL, [LAUNCHER, 'probe'], { encoding: 'utf8' }).trim().split(' ')
  return { landlock: Number(landlock), seccomp: seccomp === '1' }
}
