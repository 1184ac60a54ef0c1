import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import sharp from 'sharp'
import type { Submission } from './client.ts'
import { describeOutage, isDrained, measureOutage } from './recovery/outage.ts'
import { addCredits } from './system/add-credits.ts'
import { runScheduled } from './system/cron.ts'
import { startTemporarySystem } from './system/temporary-system.ts'

/**
 * `npm run recovery -- --jobs 10000`: measures how soon the fleet has all open jobs again after Redis has lost its data.
 * Scheduled tasks run once a minute, as in production. Exits with code 1 if it takes more than five minutes.
 *
 * `npm run recovery -- --outage --jobs 500`: measures how soon jobs end that were submitted while the fleet was down.
 * Exits with code 1 if that takes longer than the same jobs take while it runs, and the longest pause of the queue.
 */
const { values } = parseArgs({
  options: { jobs: { type: 'string', default: '10000' }, outage: { type: 'boolean', default: false } },
})
const jobs = Number(values.jobs)
const SECONDS_MAX = 300

const { system, ports, folder, db, client, stop } = await startTemporarySystem('recovery', {
  cron_interval_ms: 60_000,
})
const count = async (condition: string) =>
  Number((await db.$client.execute(`SELECT count(*) AS total FROM ${condition}`)).rows[0]?.total)
try {
  if (values.outage) await showOutage()
  else await loseQueue()
} finally {
  await stop()
}

async function showOutage(): Promise<void> {
  await addCredits(db, client)
  const tally = await measureOutage({ system, db, client }, await makeSubmission(), jobs)
  console.log(describeOutage(tally))
  process.exitCode = isDrained(tally) ? 0 : 1
}

async function loseQueue(): Promise<void> {
  const template = await runJob()
  // The edge learns the id of the queue before it is lost.
  await runScheduled(ports)
  await insertOpenJobs(template)
  await system.parts.redis.kill()
  await rm(join(folder, 'redis', 'appendonlydir'), { recursive: true, force: true })
  await system.parts.redis.start()
  const started_at = performance.now()
  for (;;) {
    const left = await count("jobs WHERE dispatch ->> 'dispatch' = 1 AND status IN ('queued', 'processing')")
    const unacknowledged = await count("outbox WHERE kind = 'dispatch'")
    const seconds = (performance.now() - started_at) / 1000
    console.log(`${Math.round(seconds)} s: ${left} jobs lost, ${unacknowledged} on their way to the fleet`)
    if (left === 0 && unacknowledged === 0) {
      console.log(`All ${jobs} jobs were queued again after ${seconds.toFixed(1)} s; goal ${SECONDS_MAX} s`)
      process.exitCode = seconds <= SECONDS_MAX ? 0 : 1
      break
    }
    if (seconds > 3 * SECONDS_MAX) throw new Error('The jobs are not queued again.')
    await delay(5000)
  }
}

/** Runs a small job, whose row the open jobs copy. */
async function runJob(): Promise<string> {
  const { id } = await client.submit(await makeSubmission())
  await client.waitForJob(id, 60_000)
  return id
}

async function makeSubmission(): Promise<Submission> {
  const file = join(folder, 'dot.png')
  await sharp({ create: { width: 32, height: 32, channels: 3, background: 'red' } }).toFile(file)
  const file_url = await client.upload(file, 'image/png')
  return { service_slug: 'image', operation_key: 'resize', params: { file_url, width: 16 } }
}

/** Inserts copies of a job that are queued and that no outbox still has to send. */
async function insertOpenJobs(template: string): Promise<void> {
  const { rows: columns } = await db.$client.execute("SELECT name FROM pragma_table_info('jobs')")
  const changed: Record<string, string> = {
    id: "'open-' || number",
    result_id: "'result-' || number",
    status: "'queued'",
    dispatch: "json_set(dispatch, '$.job_id', 'open-' || number, '$.result_id', 'result-' || number)",
    moves: '1',
    fence: '0',
    progress: '0',
    final_cost: 'NULL',
    processing_ms: 'NULL',
    result: 'NULL',
    started_at: 'NULL',
    finished_at: 'NULL',
    expires_at: 'NULL',
    heard_at: String(Date.now()),
    created_at: String(Date.now()),
  }
  const names = columns.map(({ name }) => String(name))
  const selected = names.map((name) => changed[name] ?? `"${name}"`)
  await db.$client.execute({
    sql: `WITH RECURSIVE numbers (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < ?)
      INSERT INTO jobs (${names.map((name) => `"${name}"`).join(', ')})
      SELECT ${selected.join(', ')} FROM jobs, numbers WHERE id = ?`,
    args: [jobs, template],
  })
}
