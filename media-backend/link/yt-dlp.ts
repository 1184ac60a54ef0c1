import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { processLimits } from '../runtime/ffmpeg.ts'
import { findProgram } from '../runtime/find-program.ts'
import { fileIn } from '../runtime/folder.ts'
import { type ProcessResult, runProcess } from '../runtime/process.ts'
import type { Run } from '../runtime/run.ts'
import { LAUNCHER } from '../runtime/sandbox.ts'
import type { LinkProxy } from './proxy.ts'

/** Comments and automatic captions make responses long. */
const ANSWER_LENGTH_MAX = 64 * 1024 * 1024

/** Disables configuration, plugins, caches, cookies and external programs, and allows exactly one video. */
const COMMON = [
  ...['--ignore-config', '--no-cache-dir', '--no-cookies', '--no-cookies-from-browser'],
  ...['--no-playlist', '--flat-playlist', '--playlist-items', '1:2', '--no-update', '--no-colors'],
  ...['--socket-timeout', '20', '--retries', '3', '--extractor-retries', '2', '--fragment-retries', '3'],
  ...['--abort-on-unavailable-fragments', '--fixup', 'never', '--hls-prefer-native', '--no-mark-watched'],
  ...['--no-part', '--no-continue', '--no-mtime'],
]

/** Where Debian keeps the challenge solver of yt-dlp. The image adds its library (solver/build.js). */
const SOLVER = '/usr/lib/python3/dist-packages/yt_dlp/extractor/youtube/jsc/_builtin/vendor/yt.solver.lib.js'

const ENGINE = fileURLToPath(new URL('./qjs.pl', import.meta.url))

/** QuickJS solves the challenges of sites that need JavaScript. It runs in a sandbox of its own (qjs.pl). */
function solverArguments(): string[] {
  const engine = findProgram('qjs')
  return engine === null || !existsSync(SOLVER) ? [] : ['--js-runtimes', `quickjs:${ENGINE}`]
}

/** Python loads this before yt-dlp. It allows sockets of all libraries to connect only to the proxy. */
const SOCKET_GUARD = `
import os, socket
_proxy = ('127.0.0.1', int(os.environ['LINK_PROXY_PORT']))
def _guard(name):
    original = getattr(socket.socket, name)
    def guarded(self, address, *others):
        if tuple(address[:2]) != _proxy:
            raise OSError('only the proxy may be connected to')
        return original(self, address, *others)
    setattr(socket.socket, name, guarded)
_guard('connect')
_guard('connect_ex')
`

export function infoArguments(url: string, comments_max: number): string[] {
  const limits = [comments_max, comments_max, comments_max, comments_max].join(',')
  const comments =
    comments_max === 0
      ? ['--no-write-comments']
      : ['--write-comments', '--extractor-args', `youtube:max_comments=${limits}`]
  const answer = ['--dump-single-json', '--skip-download', '--ignore-no-formats-error']
  return [...COMMON, ...comments, ...answer, '--no-warnings', '-f', 'b*/bv*/ba*', '--', url]
}

/**
 * Returns the arguments for a download. `info_file` contains only the chosen format, so no selector is built from
 * site data.
 */
export function downloadArguments(info_file: string, output: string, bytes_max: number): string[] {
  const progress =
    'download:%(progress.downloaded_bytes)s %(progress.total_bytes)s %(progress.total_bytes_estimate)s'
  return [
    ...COMMON,
    ...['--load-info-json', info_file, '-f', 'b*/bv*/ba*', '--max-filesize', String(bytes_max)],
    ...['--newline', '--progress', '--progress-template', progress, '-o', output],
  ]
}

/** Runs yt-dlp in the job's folder and sends all its traffic through the proxy. */
export async function runYtDlp(
  args: readonly string[],
  run: Run,
  proxy: LinkProxy,
  onLine?: (line: string) => void,
): Promise<ProcessResult> {
  const program = findProgram('yt-dlp')
  if (program === null) throw new Error('yt-dlp is not installed')
  await writeFile(fileIn(run.folder, 'sitecustomize.py'), SOCKET_GUARD, { mode: 0o600 })
  return runProcess(program, [...solverArguments(), ...args], {
    limits: { ...processLimits(run.environment), file_bytes_max: run.environment.INPUT_BYTES_MAX },
    folder: run.folder,
    url: proxy.url,
    reads: [LAUNCHER],
    executes: [ENGINE],
    signal: run.signal,
    text_length_max: ANSWER_LENGTH_MAX,
    env: environmentOf(program, run.folder, proxy),
    ...(onLine === undefined ? {} : { onLine }),
  })
}

/**
 * Returns an environment without secrets and without a no_proxy that would bypass the proxy. PATH contains only
 * yt-dlp's folder, or nothing if ffmpeg is there, because ffmpeg would connect directly.
 */
function environmentOf(program: string, folder: string, { url, port }: LinkProxy): Record<string, string> {
  return {
    PATH: existsSync(join(dirname(program), 'ffmpeg')) ? '' : dirname(program),
    HOME: folder,
    TMPDIR: folder,
    QJS_PROGRAM: findProgram('qjs') ?? '',
    LANG: 'C.UTF-8',
    PYTHONPATH: folder,
    PYTHONDONTWRITEBYTECODE: '1',
    LINK_PROXY_PORT: String(port),
    http_proxy: url,
    https_proxy: url,
    ftp_proxy: url,
    all_proxy: url,
  }
}

/**
 * Parses the downloaded fraction (0 to 1) from a progress line, as formatted by downloadArguments. Returns null for
 * other lines.
 */
export function parseFraction(line: string): number | null {
  const [, done, total, estimate] = /^(\d+) (\d+|NA) ([\d.]+|NA)$/.exec(line.trim()) ?? []
  const whole = total === 'NA' ? Number(estimate) : Number(total)
  return whole > 0 ? Math.min(1, Number(done) / whole) : null
}
