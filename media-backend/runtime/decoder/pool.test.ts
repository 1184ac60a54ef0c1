import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { LONE_ENVIRONMENT } from '../../testing/environment.ts'
import { type JobContext, runInContext } from '../job-context.ts'
import { readIsolation } from '../sandbox.ts'
import { takeFiles } from './lend-files.ts'
import { createDecoderPool } from './pool.ts'

const PLANTED = fileURLToPath(new URL('../../testing/planted-decoder.ts', import.meta.url))
const { landlock, seccomp } = readIsolation()

async function startPool(settings: Partial<typeof LONE_ENVIRONMENT> = {}) {
  const root = await mkdtemp(join(tmpdir(), 'fleet-decoder-'))
  const folder = join(root, 'job')
  await mkdir(folder)
  const pool = createDecoderPool(PLANTED)
  onTestFinished(async () => {
    await pool.end()
    await rm(root, { recursive: true })
  })
  const controller = new AbortController()
  const environment = { ...LONE_ENVIRONMENT, ...settings }
  const run = { folder, environment, signal: controller.signal }
  return {
    ...{ root, pool, controller },
    /** Runs a task. The name of its file selects what the planted program does. */
    async decode(file: string, account_id = 1) {
      await writeFile(join(folder, file), '')
      const context = { account_id, job_id: 'job', niceness: 0, operation: 'image/resize' } as JobContext
      return runInContext(context, () => pool.decode('facts', { file }, run))
    },
    decoders: async () => (await readdir(root)).filter((name) => name.startsWith('decoder-')),
  }
}

test.runIf(landlock > 0 && seccomp)('a planted decoder reaches nothing but its folder', async () => {
  const server = createServer((socket) => socket.destroy())
  onTestFinished(() => void server.close())
  const port = await new Promise<number>((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port)),
  )
  const { root, decode } = await startPool()
  await mkdir(join(root, 'other'))
  await writeFile(join(root, 'other', 'secret'), 'secret')
  await expect(decode(`escape--${port}--other`)).rejects.toThrow(/^inside$/)
})

test.each([
  ['crashes', 'crash', 'image_unreadable'],
  ['uses too much memory', 'memory', 'image_needs_memory'],
])('an image that %s fails its job', async (_what, file, name) => {
  const { decode, decoders } = await startPool({ PROCESS_MEMORY_BYTES_MAX: 1024 ** 3 })
  await expect(decode(file)).rejects.toMatchObject({ name: 'JobFailure', reason: { name } })
  expect(await decoders()).toEqual([])
})

test.each(['long', 'shape', 'text', 'other', 'exit'])(
  'an invalid answer (%s) ends the process and the attempt, which may be repeated',
  async (file) => {
    const { decode, decoders } = await startPool()
    const failure = await decode(file).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(Error)
    expect(failure).not.toMatchObject({ name: 'JobFailure' })
    expect(await decoders()).toEqual([])
  },
)

test('an answer that comes too late ends the process', async () => {
  const { decode, decoders } = await startPool({ IMAGE_SECONDS_MAX: -9 })
  await expect(decode('hang')).rejects.toMatchObject({ error_code: 'time_limit' })
  expect(await decoders()).toEqual([])
})

test('a canceled job ends the process', async () => {
  const { decode, decoders, controller } = await startPool()
  const reason = new Error('cancelled')
  const failing = decode('hang').catch((error: unknown) => error)
  await expect.poll(decoders).toHaveLength(1)
  controller.abort(reason)
  expect(await failing).toBe(reason)
  expect(await decoders()).toEqual([])
})

test('a process serves the next task, and accounts share one only when there is no room for more', async () => {
  const { decode } = await startPool({ IMAGE_CONCURRENCY: 1 })
  const { width: first } = await decode('a')
  expect((await decode('b')).width).toBe(first)
  const { width: second } = await decode('c', 2)
  expect(second).not.toBe(first)
  expect((await decode('d', 1)).width).toBe(first)
  // The process that has been idle longest.
  expect((await decode('e', 3)).width).toBe(second)
})

test('an image does not answer for a process that an earlier one has damaged', async () => {
  const { decode } = await startPool()
  await decode('later')
  await expect(decode('fine')).resolves.toMatchObject({ height: 1 })
  await decode('twice').catch(() => null)
  await expect(decode('fine')).resolves.toMatchObject({ height: 1 })
})

test('leaves nothing of a job in the folder of the process', async () => {
  const { root, decode, decoders } = await startPool()
  await decode('a')
  const [decoder = ''] = await decoders()
  expect(await readdir(join(root, decoder))).toEqual([])
})

test('takes only files', async () => {
  const { root } = await startPool()
  await mkdir(join(root, 'decoder'))
  await writeFile(join(root, 'secret'), 'secret')
  await writeFile(join(root, 'decoder', 'good'), 'good')
  await symlink(join(root, 'secret'), join(root, 'decoder', 'bad'))
  takeFiles(['good'], join(root, 'decoder'), join(root, 'job'))
  expect(await readFile(join(root, 'job', 'good'), 'utf8')).toBe('good')
  expect(() => takeFiles(['bad'], join(root, 'decoder'), join(root, 'job'))).toThrow('else than a file')
})

test('more tasks than places wait, and start no more processes', async () => {
  const { decode, decoders } = await startPool({ IMAGE_CONCURRENCY: 1 })
  await Promise.all(Array.from({ length: 6 }, (_, number) => decode(`none-${number}`, number)))
  expect(await decoders()).toHaveLength(2)
})
