import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { startTestContext, type TestContext } from '../media-backend/testing/context.ts'
import { type FleetProcess, spawnFleet } from '../media-backend/testing/fleet-process.ts'
import type { Measure } from './measure.ts'

const IMAGES_BEFORE = 1000
const IMAGES_TOTAL = 10_000
const BATCH_JOBS = 100

/**
 * Detects memory growth in the fleet process: compares its resident memory after many images with that after a few.
 */
export const memory: Measure = {
  name: 'memory',
  title: `resident memory of the fleet process after ${IMAGES_TOTAL} small images, against after ${IMAGES_BEFORE}`,
  unit: 'MB',
  goal: 1.1,
  direction: 'at most',
  needsSystem: false,
  // A process is new only once, so there can be only one round.
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
        await runImageJobs(context, fleet.port, input, IMAGES_BEFORE)
        const reference = await residentMegabytes(fleet.pid)
        await runImageJobs(context, fleet.port, input, IMAGES_TOTAL - IMAGES_BEFORE)
        return { ours: await residentMegabytes(fleet.pid), reference }
      },
      async close() {
        await fleet?.end('SIGTERM')
        await context.close()
      },
    }
  },
}

/** Dispatches jobs in sequential batches, as the edge's queue does. */
async function runImageJobs(context: TestContext, port: number, input: Buffer, count: number): Promise<void> {
  for (let done = 0; done < count; done += BATCH_JOBS) {
    const finished = Promise.withResolvers<void>()
    let remaining = Math.min(BATCH_JOBS, count - done)
    const jobs = Array.from({ length: remaining }, () =>
      context.dispatch(input, { job_id: `bench-${crypto.randomUUID()}`, params: { width: 64 } }),
    )
    context.edge.answer = (report) => {
      if (report.type !== 'job.finished') return { status: 200, continue: true }
      if (report.outcome.status === 'failed') finished.reject(new Error(report.outcome.error))
      remaining -= 1
      if (remaining === 0) finished.resolve()
      return { status: 200, continue: false }
    }
    const { status } = await context.post(port, '/jobs', { jobs })
    if (status !== 202) throw new Error(`The intake responded with status ${status}`)
    await finished.promise
    context.edge.received.length = 0
    context.storage.objects.clear()
  }
}

/** Reads the resident set size of a process from procfs, which reports kilobytes. */
async function residentMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]
  if (kilobytes === undefined) throw new Error('VmRSS is missing from the process status of the fleet')
  return Number(kilobytes) / 1024
}
