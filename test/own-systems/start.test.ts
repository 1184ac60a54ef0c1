import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Client } from '../../dev/client.ts'
import {
  assertPortsFree,
  findFreePorts,
  LOOPBACK,
  PORTS,
  type PortName,
  type Ports,
} from '../../dev/system/ports.ts'
import { ROOT } from '../../dev/system/root.ts'
import { waitUntil } from '../../dev/system/wait.ts'
import { openAccount } from '../support/accounts.ts'
import { makeTestFolder } from '../support/folder.ts'
import { findProcesses } from '../support/processes.ts'

const folder = makeTestFolder()
// A slow machine with other tests beside this one needs a minute.
const START_MS_MAX = 150_000
const END_MS_MAX = 60_000
vi.setConfig({ testTimeout: 400_000, hookTimeout: 200_000 })

/** One run of the program that `npm start` runs after installation. */
interface Start {
  child: ChildProcess
  output: () => string
  ended: Promise<number | null>
}

let dataDirectory: string
let ports: Ports
let starts: Start[]

beforeEach(async () => {
  dataDirectory = join(folder, crypto.randomUUID())
  ports = await findFreePorts()
  starts = []
})
afterEach(async () => {
  for (const { child } of starts) child.kill('SIGTERM')
  await Promise.all(starts.map(({ ended }) => ended))
  await expectNothingLeft()
})

/** Returns the settings that give every part its port. */
function portSettings(ports: Ports): Record<string, string> {
  const settings = Object.entries(ports).map(([name, port]) => [
    PORTS[name as PortName].setting,
    String(port),
  ])
  return Object.fromEntries(settings)
}

function start(variables: Record<string, string> = {}): Start {
  const env = {
    ...process.env,
    // Only the test of this watch expects an answer within a short time.
    HEALTH_RESPONSE_MS_MAX: '60000',
    ...variables,
    DATA_DIRECTORY: dataDirectory,
    ...portSettings(ports),
  }
  const child = spawn(process.execPath, [join(ROOT, 'dev/start.ts')], { env, stdio: 'pipe' })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const started = { child, output: () => output, ended }
  starts.push(started)
  return started
}

async function startToReady(variables?: Record<string, string>): Promise<Start> {
  const started = start(variables)
  await waitUntil(
    `the system to start:\n${started.output()}`,
    () => started.output().includes('Ready after') || started.child.exitCode !== null,
    START_MS_MAX,
  )
  expect(started.output()).toContain(`http://${LOOPBACK}:${ports.edge}/docs`)
  return started
}

/** Expects that no process has the data directory in its command line and that nothing listens on the ports. */
async function expectNothingLeft(): Promise<void> {
  await waitUntil(
    'the last process to end',
    async () => (await findProcesses('', dataDirectory)).length === 0,
    END_MS_MAX,
  )
  await assertPortsFree(ports)
}

test('Ctrl-C, also when repeated, stops every process, and the next start uses the same data', async () => {
  const first = await startToReady()
  const { credentials, id } = await openAccount(`http://${LOOPBACK}:${ports.edge}`)
  expect(await findProcesses('', dataDirectory)).not.toEqual([])
  first.child.kill('SIGINT')
  expect(await first.ended).toBe(0)
  await expectNothingLeft()

  const second = await startToReady()
  const client = new Client(`http://${LOOPBACK}:${ports.edge}`)
  await client.login(credentials)
  expect(await (await client.send('GET', '/api/v1/auth/me')).json()).toMatchObject({ id })
  expect(await client.balance()).toBe(20)
  second.child.kill('SIGINT')
  second.child.kill('SIGINT')
  expect(await second.ended).toBe(0)
  await expectNothingLeft()
})

test('npm start stops all parts and reports the edge when its worker process dies', {
  tags: ['extended'],
}, async () => {
  const { ended, output } = await startToReady({ HEALTH_RESPONSE_MS_MAX: '500' })
  const workers = await findProcesses('workerd', `:${ports.edge}`)
  expect(workers).not.toEqual([])
  for (const pid of workers) process.kill(pid, 'SIGKILL')
  expect(await ended).toBe(1)
  expect(output()).toMatch(/edge (exited|stopped responding)/)
  await expectNothingLeft()
})

test('Ctrl-C during the start stops all started processes', { tags: ['extended'] }, async () => {
  const { child, ended } = start()
  await waitUntil(
    'the first part',
    async () => (await findProcesses('sqld', dataDirectory)).length > 0,
    START_MS_MAX,
  )
  child.kill('SIGINT')
  expect(await ended).toBe(0)
  await expectNothingLeft()
})

test('the watchdog stops all parts after kill -9 of npm start', { tags: ['extended'] }, async () => {
  const { child, ended } = await startToReady()
  child.kill('SIGKILL')
  await ended
  await expectNothingLeft()
})

test('a port in use is reported with its part and its setting', async () => {
  const squatter = createServer()
  await new Promise<void>((resolve) => squatter.listen(ports.fleet, LOOPBACK, resolve))
  const { output, ended } = start()
  expect(await ended).toBe(1)
  expect(output()).toContain(`Port ${ports.fleet} (fleet, FLEET_PORT) is already in use`)
  expect(output()).not.toContain('    at ')
  await new Promise((resolve) => squatter.close(resolve))
})

test('a data directory in use is refused with the URL of the system that uses it', async () => {
  mkdirSync(dataDirectory)
  const api_url = `http://${LOOPBACK}:1`
  writeFileSync(join(dataDirectory, 'lock'), JSON.stringify({ pid: process.pid, api_url }))
  const { output, ended } = start()
  expect(await ended).toBe(1)
  expect(output()).toContain(`is in use by the system at ${api_url}.`)
  expect(output()).not.toContain('    at ')
})

test('npm start reports a part that dies, stops the others and fails', { tags: ['extended'] }, async () => {
  const { output, ended } = await startToReady()
  const [database = 0] = await findProcesses('sqld', dataDirectory)
  process.kill(database, 'SIGKILL')
  expect(await ended).toBe(1)
  expect(output()).toContain('database exited with signal SIGKILL')
  await expectNothingLeft()
})
