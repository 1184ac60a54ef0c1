import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { isGroupAlive } from './process-tree.ts'
import { Part, type PartDefinition } from './processes.ts'
import { waitUntil } from './wait.ts'
import { startWatch, type Watch } from './watch.ts'

/** Starts a child in a group of its own, as the fleet does with ffmpeg, and writes down both pids. */
const PARENT_WITH_CHILD = `
  const { spawn } = require('node:child_process')
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true })
  require('node:fs').writeFileSync(process.argv[1], JSON.stringify([process.pid, child.pid]))
  setInterval(() => {}, 1000)
`
let folder: string
let watch: Watch
let deaths: string[]

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'media-processes-'))
  watch = startWatch()
  deaths = []
})
afterEach(async () => {
  await watch.end()
  rmSync(folder, { recursive: true, force: true })
})

function makePart(script: string, changes: Partial<PartDefinition> = {}): Part {
  const definition: PartDefinition = {
    name: 'sample',
    command: process.execPath,
    args: ['-e', script, join(folder, 'pids')],
    environment: {},
    logFile: join(folder, 'sample.log'),
    isReady: async () => existsSync(join(folder, 'pids')),
    ready_ms_max: 10_000,
    ...changes,
  }
  return new Part(definition, watch.tell, (part, how) => deaths.push(`${part.name} ${how}`))
}

function readPids(): number[] {
  return JSON.parse(readFileSync(join(folder, 'pids'), 'utf8')) as number[]
}

test.each(['stop', 'kill'] as const)('%s ends a part with what it started in other groups', async (verb) => {
  const part = makePart(PARENT_WITH_CHILD)
  await part.start()
  const pids = readPids()
  expect(pids.map(isGroupAlive)).toEqual([true, true])
  await part[verb]()
  expect(pids.map(isGroupAlive)).toEqual([false, false])
  expect(deaths).toEqual([])
})

test('a part can be started again after it was killed', async () => {
  const part = makePart(PARENT_WITH_CHILD)
  await part.start()
  const [first] = readPids()
  await part.kill()
  rmSync(join(folder, 'pids'))
  await part.start()
  expect(readPids()[0]).not.toBe(first)
  await part.stop()
})

test('a frozen part is stopped all the same', async () => {
  const part = makePart(PARENT_WITH_CHILD)
  await part.start()
  part.signal('SIGSTOP')
  await part.stop()
  expect(readPids().map(isGroupAlive)).toEqual([false, false])
})

test('a part that ends while it starts is named with the end of its log', async () => {
  const part = makePart("console.error('the disk is full'); process.exit(3)")
  await expect(part.start()).rejects.toThrow(/sample ended while it started[\s\S]*the disk is full/)
})

test('a command that does not exist is an error, not a crash', async () => {
  const part = makePart('', { command: join(folder, 'nothing') })
  await expect(part.start()).rejects.toThrow('sample ended while it started')
})

test('a part that never works is given up after its time', async () => {
  const part = makePart('setInterval(() => {}, 1000)', { ready_ms_max: 200 })
  await expect(part.start()).rejects.toThrow('sample was not ready within 0.2 s')
  await part.stop()
})

test('a death that nobody asked for is reported', async () => {
  const part = makePart(PARENT_WITH_CHILD)
  await part.start()
  const [pid = 0, child = 0] = readPids()
  process.kill(pid, 'SIGKILL')
  await waitUntil('the report', () => deaths.length > 0, 5000)
  expect(deaths).toEqual(['sample by SIGKILL'])
  process.kill(-child, 'SIGKILL')
})

test('when the starter is killed, the watchdog ends what it had started', async () => {
  const starter = `
    import { startWatch } from '${import.meta.dirname}/watch.ts'
    import { spawn } from 'node:child_process'
    const watch = startWatch()
    const part = spawn(process.execPath, ['-e', ${JSON.stringify(PARENT_WITH_CHILD)}, '${join(folder, 'pids')}'], { detached: true })
    watch.tell('+' + part.pid)
    setInterval(() => {}, 1000)
  `
  const child = spawn(process.execPath, ['--input-type=module', '-e', starter], { stdio: 'ignore' })
  await waitUntil('the part', () => existsSync(join(folder, 'pids')) && readPids().length === 2, 10_000)
  child.kill('SIGKILL')
  await waitUntil('the end of all', () => !readPids().some(isGroupAlive), 10_000)
})
