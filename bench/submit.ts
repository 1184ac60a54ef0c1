import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { InStatement } from '@libsql/client'
import sharp from 'sharp'
import type { Client } from '../dev/client.ts'
import type { Database } from '../edge/platform/database/client.ts'
import { acknowledgeEffects } from '../edge/platform/outbox/queries.ts'
import { startBareWorker } from './bare-edge.ts'
import { submitWithApiKey, waitForFinishTime } from './jobs.ts'
import { type Measure, measureBoth, type Order, type Round } from './measure.ts'
import { medianOf } from './statistics.ts'
import { buildSubmit } from './submit-statements.ts'

const PAIRS_PER_ROUND = 25
/** The submit is over when the job is polled, so polls may be frequent. */
const POLL_MS = 50

/**
 * Compares the latency of a submit with that of a bare Worker that performs only the same commit. Both run as built
 * for a deployment. The difference is what a submit adds: its checks, initial reads and response.
 */
export const submit: Measure = {
  name: 'submit',
  title: 'POST /jobs/api, against a bare Worker that writes the same statements as one batch',
  unit: 'ms',
  goal: 2.5,
  direction: 'at most',
  needsSystem: true,
  async open(bench) {
    const folder = join(bench.folder, 'submit')
    await mkdir(folder)
    const system = bench.system()
    const bare = await startBareWorker(folder, 'bare-writer', { DATABASE_URL: system.database_url })
    const { client } = await system.openAccount()
    const { account_id } = await system.openAccount()
    const file_url = await uploadTinyImage(client, folder)
    const round = (order: Order) =>
      measurePairs(
        order,
        () => timeSubmit(client, file_url),
        () => timeBareWrite(system.db, account_id, bare.url),
      )
    await round('ours first')
    return { round, close: bare.stop }
  },
}

/** Uploads a tiny image, because processing after the submit is not measured and should finish quickly. */
async function uploadTinyImage(client: Client, folder: string): Promise<string> {
  const file = join(folder, 'dot.png')
  await sharp({ create: { width: 32, height: 32, channels: 3, background: '#808080' } }).toFile(file)
  return client.upload(file, 'image/png')
}

/** Alternates submits and reference writes. Each one starts when the system is idle. */
async function measurePairs(
  order: Order,
  timeOurs: () => Promise<number>,
  timeReference: () => Promise<number>,
): Promise<Round> {
  const ours: number[] = []
  const reference: number[] = []
  for (let pair = 0; pair < PAIRS_PER_ROUND; pair += 1) {
    const times = await measureBoth(order, timeOurs, timeReference)
    ours.push(times.ours)
    reference.push(times.reference)
  }
  return { ours: medianOf(ours), reference: medianOf(reference) }
}

async function timeSubmit(client: Client, file_url: string): Promise<number> {
  const params = { file_url, width: 16 }
  const start = performance.now()
  const id = await submitWithApiKey(client, { service_slug: 'image', operation_key: 'resize', params })
  const latency_ms = performance.now() - start
  await waitForFinishTime(client, id, POLL_MS)
  return latency_ms
}

/** Times only the write of a submit's statements. Loading and deciding happen before the measurement. */
async function timeBareWrite(db: Database, account_id: number, url: string): Promise<number> {
  const { job_id, effect_id, statements } = await buildSubmit(db, account_id)
  const start = performance.now()
  await sendBatch(url, statements)
  const latency_ms = performance.now() - start
  // This job exists only as a row, so the fleet must not process it.
  await acknowledgeEffects(db, [effect_id])
  await db.$client.execute({ sql: "UPDATE jobs SET status = 'canceled' WHERE id = ?", args: [job_id] })
  return latency_ms
}

async function sendBatch(url: string, statements: InStatement[]): Promise<void> {
  const headers = { 'Content-Type': 'application/json' }
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(statements) })
  const body = await response.text()
  if (response.status !== 201) throw new Error(`The bare Worker responded with ${response.status}: ${body}`)
}
