import { spawnSync } from 'node:child_process'
import { createReadStream } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { startCanary } from '../media-backend/testing/canary.ts'
import { smallClip } from '../media-backend/testing/hostile-clips.ts'
import { hostileFiles } from '../media-backend/testing/hostile-files.ts'
import { readTrace } from './hostile/trace.ts'
import { ROOT } from './system/root.ts'

/**
 * `npm run hostile [-- every]`: runs every operation on files that try to open other files and connections, both as
 * input and as assets. Uses strace, which must be installed, to trace the system calls that open files or connect.
 * See dev/hostile/run.ts for `every`.
 */
const CALLS = 'trace=open,openat,connect,getsockname'

const folder = await mkdtemp(join(tmpdir(), 'fleet-hostile-'))
const canary = await startCanary()
try {
  const files = await hostileFiles(canary)
  const manifest = {
    valid: 'valid',
    files: files.map(({ name, service }, index) => ({ name, service, file: `file-${index}` })),
  }
  for (const [index, { content }] of files.entries()) await writeFile(join(folder, `file-${index}`), content)
  const valid = await smallClip('valid.mp4', ['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-c:a', 'aac'])
  await writeFile(join(folder, 'valid'), valid)
  await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest))
  const work = join(folder, 'work')
  await mkdir(work)
  await canary.touched()

  const log = join(folder, 'trace.log')
  const program = [process.execPath, join(ROOT, 'dev/hostile/run.ts'), folder, ...process.argv.slice(2)]
  const strace = ['-f', '--seccomp-bpf', '-qq', '-e', CALLS, '-e', 'signal=none', '-s', '500', '-o', log]
  const { status, stderr, error } = spawnSync('strace', [...strace, ...program], {
    // Keeps the temporary files of jobs and of the programs they run in one folder that the trace allows.
    env: { ...process.env, TMPDIR: work },
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  if (error !== undefined)
    throw new Error('strace cannot be run. Install the package `strace`.', { cause: error })

  const lines: string[] = []
  for await (const line of createInterface({ input: createReadStream(log) })) lines.push(line)
  const folders = [`${folder}/`, `${ROOT}/`, join(homedir(), '.cache/fontconfig/')]
  const trace = readTrace(lines, { folders })
  const faults = [
    ...trace.faults,
    ...stderr.split('\n').filter((line) => line.startsWith('FAULT')),
    ...(await canary.touched()).map((access) => `the canary was accessed: ${access}`),
    ...(status === 0 ? [] : [`the traced process exited with code ${status}: ${stderr.slice(-2000)}`]),
  ]
  console.log(
    `${files.length} hostile files; ${stderr.match(/^JOBS (.*)$/m)?.[1] ?? 'unknown number of jobs'}`,
  )
  console.log(`${trace.opened} files opened, ${trace.connected} connections`)
  for (const fault of new Set(faults)) console.log(`FAULT ${fault}`)
  process.exitCode = faults.length === 0 ? 0 : 1
} finally {
  await canary.close()
  await rm(folder, { recursive: true, force: true })
}
