import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { isGroupAlive } from './process-tree.ts'
import { Part, type PartDefinition } from './processes.ts'
import { waitUntil } from './wait.ts'
import { startWatch, type Watch } from './watch.ts'

/** Starts a child in a separate group, as the fleet does with ffmpeg, and writes both pids to a file. */
const PARENT_WITH_CHILD = `
  const { spawn } = require('node:child_process')
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true })
  const { renameSync, writeFileSync } = require('node:fs')
  writeFileSync(process.argv[1] + '.new', JSON.stringify([process.pid, child.pid]))
  renameSync(process.argv[1] + '.new', process.argv[1])
  setInterval(() => {}, 1000)
`
let folder: string
let watch: Watch
let exits: string[]

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'media-processes-'))
  watch = startWatch()
  exits = []
})
afterEach(async () => {
  await watch.stop()
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
  return new Part(definition, watch.update, (part, reason) => exits.push(`${part.name} exited ${reason}`))
}

function readPids(): number[] {
  return JSON.parse(readFileSync(join(folder, 'pids'), 'utf8')) as number[]
}

test.each(['stop', 'kill'] as const)('%s ends a part and its children in other groups', async (method) => {
  const part = makePart(PARENT_WITH_CHILD)
  await part.start()
  const pids = readPids()
  expect(pids.map(isGroupAlive)).toEqual([true, true])
  await part[method]()
  expect(pids.map(isGroupAlive)).toEqual([false, false])
  expect(exits).toEqual([])
})

test('restarts a part after it was killed', async () => {
  const part = makePart(PARENT_WITH_CHILD)
  await part.start()
  const [first] = readPids()
  await part.kill()
  rmSync(join(folder, 'pids'))
  await part.start()
  expect(readPids()[0]).not.toBe(first)
  await part.stop()
})

test('stops a part that is suspended', async () => {
  const part = makePart(PARENT_WITH_CHILD)
  await part.start()
  part.signal('SIGSTOP')
  await part.stop()
  expect(readPids().map(isGroupAlive)).toEqual([false, false])
})

test('reports a part that exits during startup, with the end of its log', async () => {
  const part = makePart("console.error('the disk is full'); process.exit(3)")
  await expect(part.start()).rejects.toThrow(/sample exited during startup[\s\S]*the disk is full/)
})

test('reports a command that does not exist', async () => {
  const part = makePart('', { command: join(folder, 'nothing') })
  await expect(part.start()).rejects.toThrow('sample exited during startup')
})

test('reports a part that is not ready in time', async () => {
  const part = makePart('setInterval(() => {}, 1000)', { ready_ms_max: 200 })
  await expect(part.start()).rejects.toThrow('sample was not ready within 0.2 s')
  await part.stop()
})

test('reports an unexpected exit', async () => {
  const part = makePart(PARENT_WITH_CHILD)
  await part.start()
  const [pid = 0, child = 0] = readPids()
  process.kill(pid, 'SIGKILL')
  await waitUntil('the report', () => exits.length > 0, 5000)
  expect(exits).toEqual(['sample exited with signal SIGKILL'])
  process.kill(-child, 'SIGKILL')
})

test('the watchdog ends the parts when their parent process is killed', async () => {
  const parent = `
    import { startWatch } from '${import.meta.dirname}/watch.ts'
    import { spawn } from 'node:child_process'
    const watch = startWatch()
    const part = spawn(process.execPath, ['-e', ${JSON.stringify(PARENT_WITH_CHILD)}, '${join(folder, 'pids')}'], { detached: true })
    watch.update('+' + part.pid)
    setInterval(() => {}, 1000)
  `
  const child = spawn(process.execPath, ['--input-type=module', '-e', parent], { stdio: 'ignore' })
  await waitUntil('the part', () => existsSync(join(folder, 'pids')) && readPids().length === 2, 10_000)
  child.kill('SIGKILL')
  await waitUntil('the exit of all processes', () => !readPids().some(isGroupAlive), 10_000)
})
