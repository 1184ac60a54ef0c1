/** @module-tag extended */

import { readdir } from 'node:fs/promises'
import { Queue } from 'bullmq'
import { Redis } from 'ioredis'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Dispatch } from '../../shared/protocol/dispatch.ts'
import { prefixOf } from '../queue/queues.ts'
import { FAST, makeClip, tone, videoInput } from '../testing/clips.ts'
import { startTestContext, type TestContext } from '../testing/context.ts'
import { type FleetProcess, spawnFleet } from '../testing/fleet-process.ts'
import { countProcesses } from '../testing/processes.ts'
import { waitFor } from '../testing/wait.ts'

let context: TestContext
let processes: FleetProcess[]
/** Keys of the segments in the order of their uploads. */
let uploads: string[]

beforeEach(async () => {
  context = await startTestContext()
  processes = []
  uploads = []
  const { objects } = context.storage
  const put = objects.set.bind(objects)
  objects.set = (key, content) => {
    if (key.startsWith('segments/')) uploads.push(key)
    return put(key, content)
  }
})
afterEach(async () => {
  await Promise.all(processes.map((fleet) => fleet.end('SIGTERM')))
  await context.close()
})

const LONG_ONLY = {
  ...{ IMAGE_CONCURRENCY: '0', QUICK_CONCURRENCY: '0', LINK_CONCURRENCY: '0', LONG_CONCURRENCY: '1' },
  SPREAD_SECONDS_MIN: '8',
}

/** Stores a video whose encode two workers share, in eight segments. */
async function makeJob(): Promise<Dispatch> {
  const clip = await makeClip('shared.mp4', [
    ...[...videoInput(8, '480x270'), ...tone(8), ...FAST, '-g', '25', '-c:a', 'aac'],
  ])
  return context.dispatch(clip, {
    ...{ service_slug: 'video', operation_key: 'compress', params: { preset: 'slow', crf: 30 } },
    ...{ input_bytes: 64 * 1024 * 1024, filename: 'clip.mp4' },
  })
}

/** Waits until one worker runs the job and another one encodes a segment, and returns the processes of both. */
async function waitForBoth({ job_id }: Dispatch): Promise<{ parent: number; helper: number }> {
  const found = { parent: 0, helper: 0 }
  await waitFor('both workers to encode', async () => {
    const folders = await readdir(context.work_directory)
    const pidOf = (start: string) =>
      Number(
        folders
          .find((name) => name.startsWith(start))
          ?.split('.')
          .at(-1),
      )
    Object.assign(found, { parent: pidOf(`${job_id}-`), helper: pidOf(`${job_id}.`) })
    const encoding = await countProcesses('ffmpeg', `${context.work_directory}/${job_id}.`)
    return found.parent > 0 && found.helper > 0 && encoding > 0 && uploads.length > 0
  })
  return found
}

function startsOf({ job_id }: Dispatch): number[] {
  return context.edge.received.flatMap(({ report }) =>
    report.type === 'job.started' && report.job_id === job_id ? [report.fence] : [],
  )
}

/** Each of two workers loses at most one segment: it may end just after an upload that nobody knows of yet. */
function expectFewLost(): void {
  expect(uploads.length - new Set(uploads).size).toBeLessThanOrEqual(2)
}

async function expectDone({ job_id }: Dispatch, fence: number): Promise<void> {
  const finished = await context.edge.waitForFinished(job_id, 45_000)
  expect(finished).toMatchObject({ fence, outcome: { status: 'done' } })
  await context.waitForEmptyFolder()
  await expectNothingLeft(job_id)
}

async function expectNothingLeft(job_id: string): Promise<void> {
  await waitFor('the segments to be deleted', () =>
    [...context.storage.objects.keys()].every((key) => !key.startsWith('segments/')),
  )
  const redis = new Redis(context.redis.url, { maxRetriesPerRequest: null })
  const queue = new Queue('long', { connection: redis, prefix: prefixOf('long') })
  await waitFor('the job to end', async () =>
    ['completed', 'unknown'].includes(await queue.getJobState(job_id)),
  )
  expect(await queue.getJobCountByTypes('wait', 'prioritized', 'delayed', 'active', 'failed')).toBe(0)
  await queue.close()
  redis.disconnect()
}

test('loses one segment by kill -9 of a helper, and one by kill -9 of the process that runs the job', async () => {
  const variables = { ...context.variables, ...LONG_ONLY }
  processes = await Promise.all([spawnFleet(variables), spawnFleet(variables)])
  const dispatch = await makeJob()
  await context.post(processes[0]?.port ?? 0, '/jobs', { jobs: [dispatch] })
  const { parent, helper } = await waitForBoth(dispatch)
  await processes.find(({ pid }) => pid === helper)?.end('SIGKILL')
  const before = uploads.length
  await waitFor('another segment', () => uploads.length > before)
  expect(startsOf(dispatch)).toEqual([1001])
  await processes.find(({ pid }) => pid === parent)?.end('SIGKILL')
  const kept = [...uploads]
  await context.startFleet(LONG_ONLY)
  await expectDone(dispatch, 1002)
  expect(kept.length).toBeGreaterThan(1)
  expectFewLost()
})

test('returns a segment and a job to the lane when their worker closes, and keeps what is finished', async () => {
  const both = { ...LONG_ONLY, LONG_CONCURRENCY: '2' }
  const first = await context.startFleet(both)
  const dispatch = await makeJob()
  await context.post(first.port, '/jobs', { jobs: [dispatch] })
  await waitForBoth(dispatch)
  await first.close()
  const kept = [...uploads]
  await context.startFleet(both)
  await expectDone(dispatch, 1002)
  expectFewLost()
  expect(uploads.length).toBeGreaterThan(kept.length)
})

test('stops all segments of a canceled job and leaves none in the storage', async () => {
  const fleet = await context.startFleet({ ...LONG_ONLY, LONG_CONCURRENCY: '2' })
  const dispatch = await makeJob()
  await context.post(fleet.port, '/jobs', { jobs: [dispatch] })
  await waitForBoth(dispatch)
  await context.post(fleet.port, '/cancel', { job_id: dispatch.job_id })
  await context.waitForEmptyFolder()
  expect(await countProcesses('ffmpeg', `${context.work_directory}/${dispatch.job_id}`)).toBe(0)
  await expectNothingLeft(dispatch.job_id)
  expect(context.edge.finished(dispatch.job_id)).toHaveLength(0)
})

test('deletes the segments of a job that is canceled while no worker runs it', async () => {
  const fleet = await context.startFleet(LONG_ONLY)
  const dispatch = await makeJob()
  await context.post(fleet.port, '/jobs', { jobs: [dispatch] })
  await waitFor('a segment', () => uploads.length > 0)
  await fleet.close()
  const intake = await context.startFleet({ ...LONG_ONLY, LONG_CONCURRENCY: '0' })
  expect(await context.post(intake.port, '/cancel', { job_id: dispatch.job_id })).toMatchObject({
    body: { removed: true },
  })
  await expectNothingLeft(dispatch.job_id)
})
