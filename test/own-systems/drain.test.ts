/** @module-tag extended */

import { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { drainFleet, type FleetAddress, listFleet } from '../../dev/ops/drain.ts'
import { photo, video } from '../../media-backend/testing/clips.ts'
import { startTestContext, type TestContext } from '../../media-backend/testing/context.ts'
import { type FleetProcess, spawnFleet } from '../../media-backend/testing/fleet-process.ts'
import { countProcesses } from '../../media-backend/testing/processes.ts'
import { waitFor } from '../../media-backend/testing/wait.ts'

const NO_LANES = {
  IMAGE_CONCURRENCY: '0',
  QUICK_CONCURRENCY: '0',
  LONG_CONCURRENCY: '0',
  LINK_CONCURRENCY: '0',
}

let context: TestContext
beforeAll(async () => {
  context = await startTestContext()
})
afterAll(() => context.close())

async function spawn(variables: Record<string, string> = {}): Promise<FleetProcess> {
  const fleet = await spawnFleet({ ...context.variables, ...variables })
  onTestFinished(async () => {
    // A killed process would stay in the list for a minute.
    await fleet.end('SIGTERM')
  })
  return fleet
}

/** Runs an encode of a few seconds, and returns its ID once ffmpeg is running. */
async function startEncode(port: number): Promise<string> {
  const encode = { service_slug: 'video', operation_key: 'compress', filename: 'clip.mp4' } as const
  const clip = await video(50, '640x360')
  const dispatch = context.dispatch(clip, { ...encode, params: { preset: 'slow' } })
  await context.post(port, '/jobs', { jobs: [dispatch] })
  const folder = `${context.work_directory}/${dispatch.job_id}-`
  await waitFor('ffmpeg to run', async () => (await countProcesses('ffmpeg', folder)) > 0, 30_000)
  return dispatch.job_id
}

const address = (port: number): FleetAddress => ({
  FLEET_URL: `http://127.0.0.1:${port}`,
  FLEET_KEYS: [context.variables.FLEET_KEYS ?? ''],
})

test('a drained process finishes its job, leaves new ones to others, and exits', async () => {
  const fleet = await spawn()
  const encode = await startEncode(fleet.port)
  const [process] = await listFleet(address(fleet.port))
  expect(process).toMatchObject({ lanes: ['image', 'quick', 'long', 'link'], draining: false })
  expect(await drainFleet(address(fleet.port), { process: 'another:1' })).toEqual([])
  expect(await drainFleet(address(fleet.port), { process: process?.name ?? '' })).toEqual([process?.name])
  const isDraining = async () =>
    (await listFleet(address(fleet.port))).some(({ name, draining }) => name === process?.name && draining)
  await waitFor('the drain', isDraining)
  expect(await listFleet(address(fleet.port))).toMatchObject([{ running: [encode] }])
  const image = context.dispatch(await photo(), {})
  await context.post(fleet.port, '/jobs', { jobs: [image] })
  expect(await fleet.exit).toBe(0)
  expect(context.edge.finished(encode)).toMatchObject([{ fence: 1001, outcome: { status: 'done' } }])
  expect(context.edge.finished(image.job_id)).toEqual([])
  const next = await spawn()
  await context.edge.waitForFinished(image.job_id)
  expect(await listFleet(address(next.port))).toHaveLength(1)
})

test('a lane is drained without the processes of others', async () => {
  const [images, intake] = await Promise.all([
    spawn({ ...NO_LANES, IMAGE_CONCURRENCY: '1' }),
    spawn(NO_LANES),
  ])
  expect(await drainFleet(address(intake.port), { lane: 'long' })).toEqual([])
  expect(await drainFleet(address(intake.port), { lane: 'image' })).toHaveLength(1)
  expect(await images.exit).toBe(0)
  await waitFor('its entry to be gone', async () => (await listFleet(address(intake.port))).length === 1)
})

test('processes of other versions stay in the list while they are alive', async () => {
  const intake = await spawn(NO_LANES)
  const redis = new Redis(context.redis.url)
  onTestFinished(() => redis.quit().then(() => undefined))
  const [seconds = 0] = await redis.time()
  const entry = { name: 'newer:1', started_at: new Date().toISOString(), lanes: ['gpu'], running: [] }
  const seen_ms = Number(seconds) * 1000
  await redis.hset('media-backend-processes', {
    'newer:1': JSON.stringify({ ...entry, draining: false, seen_ms }),
    'other:1': '{"form":2}',
    'dead:1': JSON.stringify({ ...entry, name: 'dead:1', draining: false, seen_ms: seen_ms - 61_000 }),
  })
  const names = (await listFleet(address(intake.port))).map(({ name }) => name)
  expect(names).toContain('newer:1')
  expect(names).not.toContain('dead:1')
  expect(await redis.hexists('media-backend-processes', 'other:1')).toBe(1)
  await redis.hdel('media-backend-processes', 'newer:1', 'other:1')
})

test('after SIGTERM, running jobs finish within DRAIN_SECONDS', async () => {
  const fleet = await spawn({ DRAIN_SECONDS: '60' })
  const encode = await startEncode(fleet.port)
  expect(await fleet.end('SIGTERM')).toBe(0)
  expect(context.edge.finished(encode)).toMatchObject([{ fence: 1001, outcome: { status: 'done' } }])
})

test('a second SIGTERM returns the running job to its lane, where another process starts it over', async () => {
  const fleet = await spawn({ DRAIN_SECONDS: '60' })
  const encode = await startEncode(fleet.port)
  process.kill(fleet.pid, 'SIGTERM')
  await waitFor('the drain', async () => (await listFleet(address(fleet.port)))[0]?.draining === true)
  expect(await fleet.end('SIGTERM')).toBe(0)
  expect(context.edge.finished(encode)).toEqual([])
  await spawn()
  const { fence } = await context.edge.waitForFinished(encode, 60_000)
  expect(fence).toBe(1002)
})
