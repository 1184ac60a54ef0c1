import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makePhoto } from '../../bench/inputs.ts'
import type { Database } from '../../edge/platform/database/client.ts'
import { DAY_MS } from '../../edge/platform/rules/days.ts'
import { printTable } from '../demo/terminal.ts'
import { addCredits } from '../system/add-credits.ts'
import { runScheduled } from '../system/cron.ts'
import type { Ports } from '../system/ports.ts'
import { makeSecrets } from '../system/secrets.ts'
import { startDatabase } from '../system/system.ts'
import { startTemporarySystem } from '../system/temporary-system.ts'

/** Longer than the retention of every table. */
const AGE_MS = 500 * DAY_MS
const LANES = 4
const JOB_MS_MAX = 600_000

/** Starts a system with an archive, and prints what image jobs leave in the first database. */
export async function printKeptBytes(count: number): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'costs-archive-'))
  const archive = await startDatabase({ dataDirectory: directory, secrets: makeSecrets(), settings: {} })
  const { ports, folder, db, client, stop } = await startTemporarySystem('costs', {
    cron_interval_ms: 3_600_000,
    edge: { ARCHIVE_DATABASE_URL: archive.url },
  })
  try {
    await addCredits(db, client)
    const file_url = await client.upload(await makePhoto(folder), 'image/jpeg')
    const submission = { service_slug: 'image', operation_key: 'resize', params: { file_url, width: 1280 } }
    let left = count
    const runLane = async () => {
      while (left > 0) {
        left -= 1
        const { id } = await client.submit(submission)
        await client.waitForJob(id, JOB_MS_MAX)
      }
    }
    const runJobs = () => Promise.all(Array.from({ length: LANES }, runLane))
    const { ended, archived, forgotten } = await measureKept(db, ports, runJobs)
    printTable(
      ['bytes of an image job in the first database', ''],
      [
        ['at its end', Math.round(ended)],
        ['once it is archived', Math.round(archived)],
        ['once its usage events and transitions are deleted', Math.round(forgotten)],
      ].map((row) => row.map(String)),
    )
  } finally {
    await stop()
    await archive.stop()
    await rm(directory, { recursive: true, force: true })
  }
}

/** Bytes of the first database that one job takes: at its end, once it is archived, and once its history is deleted. */
export interface KeptBytes {
  ended: number
  archived: number
  forgotten: number
}

/** Runs jobs, moves them to the archive as if they had ended long ago, and measures what they leave. */
async function measureKept(db: Database, ports: Ports, runJobs: () => Promise<unknown>): Promise<KeptBytes> {
  await runScheduled(ports)
  const before = await readUsedBytes(db)
  await runJobs()
  await runScheduled(ports)
  const ended = await readUsedBytes(db)
  const count = await countJobs(db)
  await db.$client.execute(`UPDATE jobs SET created_at = created_at - ${AGE_MS},
    finished_at = finished_at - ${AGE_MS}, result = NULL`)
  while ((await countJobs(db)) > 0) await runScheduled(ports)
  const archived = await readUsedBytes(db)
  for (const table of ['usage_events', 'request_logs'])
    await db.$client.execute(`UPDATE ${table} SET created_at = created_at - ${AGE_MS}`)
  await db.$client.execute(`DELETE FROM job_moves`)
  await runScheduled(ports)
  const forgotten = await readUsedBytes(db)
  const perJob = (bytes: number) => (bytes - before) / count
  return { ended: perJob(ended), archived: perJob(archived), forgotten: perJob(forgotten) }
}

async function countJobs(db: Database): Promise<number> {
  const { rows } = await db.$client.execute('SELECT count(*) AS jobs FROM jobs')
  return Number(rows[0]?.jobs)
}

/** Returns the bytes in use: SQLite keeps pages of deleted rows for new ones. */
async function readUsedBytes(db: Database): Promise<number> {
  const { rows } = await db.$client.execute(`SELECT (page_count - freelist_count) * page_size AS bytes
    FROM pragma_page_count(), pragma_freelist_count(), pragma_page_size()`)
  return Number(rows[0]?.bytes)
}
