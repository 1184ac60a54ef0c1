import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { startTestContext, type TestContext } from '../media-backend/testing/context.ts'
import { type FleetProcess, spawnFleet } from '../media-backend/testing/fleet-process.ts'
import type { Measure } from './measure.ts'

const IMAGES_FIRST = 1000
const IMAGES_LAST = 10_000
const JOBS_AT_ONCE = 100

/** Whether the worker grows with the work: what it keeps resident after many images, against after some. */
export const memory: Measure = {
  name: 'memory',
  title: `resident memory of the fleet's process after ${IMAGES_LAST} small images, against after ${IMAGES_FIRST}`,
  unit: 'MB',
  goal: 1.1,
  direction: 'at most',
  needsSystem: false,
  // A worker is young but once.
  rounds: 1,
  async open() {
    const context = await startTestContext()
    const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const
    const image = sharp({ create: { width: 160, height: 120, channels: 3, background: '#808080', noise } })
    const input = await image.jpeg().toBuffer()
    let fleet: FleetProcess | null = null
    return {
      async round() {
        fleet = await spawnFleet({ ...context.variables, LOCK_SECONDS: '30' })
        await workThrough(context, fleet.port, input, IMAGES_FIRST)
        const reference = await residentMegabytes(fleet.pid)
        await workThrough(context, fleet.port, input, IMAGES_LAST - IMAGES_FIRST)
        return { ours: await residentMegabytes(fleet.pid), reference }
      },
      async close() {
        await fleet?.end('SIGTERM')
        await context.close()
      },
    }
  },
}

/** One batch after the other, as the edge's queue would hand them over. */
async function workThrough(context: TestContext, port: number, input: Buffer, count: number): Promise<void> {
  for (let done = 0; done < count; done += JOBS_AT_ONCE) {
    const ended = Promise.withResolvers<void>()
    let open = Math.min(JOBS_AT_ONCE, count - done)
    const jobs = Array.from({ length: open }, () =>
      context.dispatch(input, { job_id: `bench-${crypto.randomUUID()}`, params: { width: 64 } }),
    )
    context.edge.answer = (report) => {
      if (report.type !== 'job.finished') return { status: 200, continue: true }
      if (report.outcome.status === 'failed') ended.reject(new Error(report.outcome.error))
      open -= 1
      if (open === 0) ended.resolve()
      return { status: 200, continue: false }
    }
    const { status } = await context.post(port, '/jobs', { jobs })
    if (status !== 202) throw new Error(`the intake answered ${status}`)
    await ended.promise
    context.edge.received.length = 0
    context.storage.objects.clear()
  }
}

/** Linux tells it in kilobytes. */
async function residentMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]
  if (kilobytes === undefined) throw new Error('the resident memory of the fleet is not told')
  return Number(kilobytes) / 1024
}
