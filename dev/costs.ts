import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Redis } from 'ioredis'
import { printKeptBytes } from './costs/archive.ts'
import { measureCommits } from './costs/commits.ts'
import { type CpuSeconds, cpuBetween, MEASURED, readCpu } from './costs/cpu.ts'
import { type MeasuredJob, makeMeasuredJobs } from './costs/jobs.ts'
import { measureWaitingJob, readDatabaseBytes, readRedisBytes } from './costs/storage.ts'
import { printTable } from './demo/terminal.ts'
import { addCredits } from './system/add-credits.ts'
import { LOOPBACK } from './system/ports.ts'
import { startTemporarySystem } from './system/temporary-system.ts'

/**
 * `npm run costs -- --jobs 100`: measures what one job of each kind costs: CPU time of every part of the system, growth
 * of the database, and memory of Redis; and how many submits the database commits per second. Runs a tenth
 * as many video jobs, and a fiftieth as many encodes. With `--archive`, measures instead what archived image jobs leave
 * in the first database.
 */
const { values } = parseArgs({
  options: { jobs: { type: 'string', default: '100' }, archive: { type: 'boolean', default: false } },
})
const jobs = Number(values.jobs)
if (!Number.isSafeInteger(jobs) || jobs < 1) {
  console.error('--jobs must be a positive integer.')
  process.exit(2)
}
if (values.archive) {
  await printKeptBytes(jobs)
  process.exit()
}
const IDLE_SECONDS = 10
const WAITING_JOBS = 10_000
const JOB_MS_MAX = 600_000

const { system, ports, folder, db, client, stop } = await startTemporarySystem('costs', {
  fleet: { LOCK_SECONDS: '30' },
  cron_interval_ms: 60_000,
})
const redis = new Redis(ports.redis, LOOPBACK)
try {
  await addCredits(db, client)
  const kinds = await makeMeasuredJobs(client, folder)
  for (const kind of kinds) await runJobs(kind, 1)
  const idle = await measureIdle()
  printTable(
    ['idle', ...MEASURED],
    [['ms of CPU per second', ...MEASURED.map((part) => inMilliseconds(idle[part]))]],
  )
  const rows: string[][] = []
  let last_id = ''
  for (const kind of kinds) {
    const count = Math.max(2, Math.round(jobs * shareOf(kind)))
    const measured = await measureJobs(kind, count, idle)
    last_id = measured.last_id
    rows.push([
      kind.name,
      String(count),
      (kind.input_bytes / 1e6).toFixed(2),
      measured.seconds.toFixed(2),
      ...MEASURED.map((part) => inMilliseconds(measured.cpu[part])),
      String(Math.round(measured.database_bytes)),
      String(Math.round(measured.redis_bytes)),
    ])
  }
  const units = MEASURED.map((part) => `${part} ms`)
  printTable(['job', 'count', 'input MB', 's a job', ...units, 'database B', 'redis B'], rows)
  await system.parts.fleet.stop()
  const waiting = await measureWaitingJob(db, ports, last_id, WAITING_JOBS)
  console.log(`\nA waiting job takes ${Math.round(waiting)} bytes of Redis (${WAITING_JOBS} jobs).`)
  const commits = await measureCommits(db, system.api_url)
  console.log(`The database commits ${commits.toFixed(0)} submits per second.`)
} finally {
  redis.disconnect()
  await stop()
}

function shareOf({ name }: MeasuredJob): number {
  if (name.startsWith('image/')) return 1
  return name === 'video/compress' ? 0.02 : 0.1
}

function inMilliseconds(seconds: number): string {
  return (seconds * 1000).toFixed(1)
}

/** Returns the CPU time per second that the parts use without jobs. */
async function measureIdle(): Promise<CpuSeconds> {
  const before = await readCpu(system)
  await delay(IDLE_SECONDS * 1000)
  const after = await readCpu(system)
  const share = (part: (typeof MEASURED)[number]) => (after[part] - before[part]) / IDLE_SECONDS
  return Object.fromEntries(MEASURED.map((part) => [part, share(part)])) as CpuSeconds
}

/** Runs jobs of a kind and returns what one of them costs. */
async function measureJobs(kind: MeasuredJob, count: number, idle: CpuSeconds) {
  const before = {
    cpu: await readCpu(system),
    bytes: await readDatabaseBytes(db),
    redis: await readRedisBytes(redis),
  }
  const started_at = performance.now()
  const last_id = await runJobs(kind, count)
  const seconds = (performance.now() - started_at) / 1000
  const scale = (used: CpuSeconds, factor: number) =>
    Object.fromEntries(MEASURED.map((part) => [part, used[part] * factor])) as CpuSeconds
  const used = cpuBetween(before.cpu, await readCpu(system), scale(idle, seconds))
  return {
    last_id,
    seconds: seconds / count,
    cpu: scale(used, 1 / count),
    database_bytes: ((await readDatabaseBytes(db)) - before.bytes) / count,
    redis_bytes: ((await readRedisBytes(redis)) - before.redis) / count,
  }
}

/** Runs jobs, a few at a time, and returns the id of the last one. */
async function runJobs({ submission, concurrency }: MeasuredJob, count: number): Promise<string> {
  let started = 0
  let last_id = ''
  const runLane = async () => {
    while (started < count) {
      started += 1
      const { id } = await client.submit(submission)
      const { status, error } = await client.waitForJob(id, JOB_MS_MAX)
      if (status !== 'done') throw new Error(`${id} is ${status}: ${error}`)
      last_id = id
    }
  }
  await Promise.all(Array.from({ length: concurrency }, runLane))
  return last_id
}
