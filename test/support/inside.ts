import { AwsClient } from 'aws4fetch'
import { runScheduled } from '../../dev/system/cron.ts'
import { LOOPBACK } from '../../dev/system/ports.ts'
import type { System } from '../../dev/system/system.ts'
import { BUCKET, storageUrl } from '../../dev/system/wrangler-config.ts'
import { openDatabase } from '../../edge/platform/database/client.ts'

/** Access to a system's database, storage, and scheduler, which no client has. */
type Inside = Pick<System, 'ports' | 'secrets'>

/** Runs one SQL statement. @returns its rows */
async function query({ ports }: Inside, sql: string, args: string[] = []) {
  const database = openDatabase(`http://${LOOPBACK}:${ports.database}`, undefined)
  try {
    return (await database.$client.execute({ sql, args })).rows
  } finally {
    database.$client.close()
  }
}

/** Makes all effects due and runs the scheduled tasks, which resend the unacknowledged effects. */
export async function resendAllEffects(system: Inside): Promise<void> {
  await query(system, 'UPDATE outbox SET due_at = 0')
  await runScheduled(system.ports)
}

/** Makes all jobs stale and runs the scheduled tasks, which redispatch them. */
export async function redispatchAllJobs(system: Inside): Promise<void> {
  await query(system, 'UPDATE jobs SET heard_at = 0')
  await runScheduled(system.ports)
}

/** Reads the fence of the newest attempt that reported to the edge. */
export async function readFence(system: Inside, job_id: string): Promise<number> {
  const [row] = await query(system, 'SELECT fence FROM jobs WHERE id = ?', [job_id])
  return Number(row?.fence)
}

/** Reads the id under which a job's results are stored. */
export async function readResultId(system: Inside, job_id: string): Promise<string> {
  const [row] = await query(system, 'SELECT result_id FROM jobs WHERE id = ?', [job_id])
  return String(row?.result_id)
}

export async function countEffects(system: Inside): Promise<number> {
  const [row] = await query(system, 'SELECT count(*) AS count FROM outbox')
  return Number(row?.count)
}

/** Counts the unacknowledged effects that name one of these jobs. */
export async function countEffectsOf(system: Inside, jobs: readonly { id: string }[]): Promise<number> {
  const names = jobs.map(() => 'instr(payload, ?) > 0').join(' OR ')
  const ids = jobs.map(({ id }) => id)
  const [row] = await query(system, `SELECT count(*) AS count FROM outbox WHERE ${names}`, ids)
  return Number(row?.count)
}

/** Lists the storage keys of all results written by a job's attempts. */
export async function listResults({ ports, secrets }: Inside, job_id: string): Promise<string[]> {
  const signer = new AwsClient({
    accessKeyId: secrets.s3_access_key_id,
    secretAccessKey: secrets.s3_secret_access_key,
    service: 's3',
    region: 'auto',
  })
  const prefix = `results/${await readResultId({ ports, secrets }, job_id)}/`
  const response = await signer.fetch(`${storageUrl(ports)}/${BUCKET}?list-type=2&prefix=${prefix}`)
  if (!response.ok) throw new Error(`Listing results failed with ${response.status}.`)
  return [...(await response.text()).matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, key = '']) => key)
}
