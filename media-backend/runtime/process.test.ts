import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { runInContext } from './job-context.ts'
import { type ProcessLimits, runProcess } from './process.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fleet-process-'))
})
afterAll(() => rm(folder, { recursive: true }))

function run(command: string, args: readonly string[], limits: Partial<ProcessLimits> = {}) {
  const standard = { memory_bytes_max: 1024 ** 3, file_bytes_max: 1024 ** 2, cpu_seconds_max: 60 }
  const signal = AbortSignal.timeout(30_000)
  return runProcess(command, args, { limits: { ...standard, ...limits }, folder, signal })
}

test('passes a program only environment variables that locate files', async () => {
  vi.stubEnv('S3_SECRET_ACCESS_KEY', 'a-secret')
  vi.stubEnv('FONTCONFIG_PATH', '/etc/fonts')
  onTestFinished(() => {
    vi.unstubAllEnvs()
  })
  const { stdout } = await run('env', [])
  const variables = Object.fromEntries(stdout.split('\n').map((line) => line.split('=', 2)))
  expect(variables).toMatchObject({ HOME: folder, PATH: process.env.PATH, FONTCONFIG_PATH: '/etc/fonts' })
  const allowed = [
    '',
    'FONTCONFIG_FILE',
    'FONTCONFIG_PATH',
    'HOME',
    'LANG',
    'LD_LIBRARY_PATH',
    'PATH',
    'TMPDIR',
  ]
  expect([...allowed, 'XDG_CACHE_HOME']).toEqual(expect.arrayContaining(Object.keys(variables)))
})

test('lowers the priority of programs of long work only', async () => {
  const job = {
    job_id: 'job',
    fence: 1001,
    lane: 'long',
    account_id: 1,
    operation: 'video/compress',
    niceness: 10,
    trace_id: undefined,
    span: undefined,
  }
  const { stdout } = await runInContext(job, () => run('nice', []))
  expect(stdout.trim()).toBe('10')
  expect((await run('nice', [])).stdout.trim()).toBe('0')
})

test('reports a program that exceeds its CPU limit by its signal', async () => {
  const { code, ended_by } = await run('sha1sum', ['/dev/zero'], { cpu_seconds_max: 1 })
  expect([code, ended_by]).toEqual([null, 'SIGXCPU'])
})

test.each([
  ['prints too much', 1024 * 1024 + 1],
  ['never stops printing', Number.MAX_SAFE_INTEGER],
])('refuses the content if a program %s, instead of returning a part', async (_, bytes) => {
  const reason = { name: 'content_too_complex' }
  await expect(run('head', ['-c', String(bytes), '/dev/zero'])).rejects.toMatchObject({ reason })
})

test('returns an output of exactly the maximum length', async () => {
  const { stdout } = await run('head', ['-c', String(1024 * 1024), '/dev/zero'])
  expect(stdout).toHaveLength(1024 * 1024)
})
