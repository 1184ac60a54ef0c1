import { AwsClient } from 'aws4fetch'
import { runScheduled } from '../../dev/system/cron.ts'
import { LOOPBACK } from '../../dev/system/ports.ts'
import type { System } from '../../dev/system/system.ts'
import { BUCKET, storageUrl } from '../../dev/system/wrangler-config.ts'
import { openDatabase } from '../../edge/platform/database/client.ts'

/** What no client sees: rows and objects of a system, and the time that passes for its scheduled work. */
type Inside = Pick<System, 'ports' | 'secrets'>

/** Runs one statement; answers its rows. */
async function query({ ports }: Inside, sql: string, args: string[] = []) {
  const database = openDatabase(`http://${LOOPBACK}:${ports.database}`, undefined)
  try {
    return (await database.$client.execute({ sql, args })).rows
  } finally {
    database.$client.close()
  }
}

/** Lets the time pass after which unacknowledged effects are sent again. */
export async function passResendTime(system: Inside): Promise<void> {
  await query(system, 'UPDATE outbox SET due_at = 0')
  await runScheduled(system.ports)
}

/** Lets the time pass after which a job that nobody spoke of is handed over anew. */
export async function passSilence(system: Inside): Promise<void> {
  await query(system, 'UPDATE jobs SET heard_at = 0')
  await runScheduled(system.ports)
}

/** The newest attempt at a job that the edge heard of. */
export async function readFence(system: Inside, job_id: string): Promise<number> {
  const [row] = await query(system, 'SELECT fence FROM jobs WHERE id = ?', [job_id])
  return Number(row?.fence)
}

/** The folder in storage that the results of a job are written to. */
export async function readResultId(system: Inside, job_id: string): Promise<string> {
  const [row] = await query(system, 'SELECT result_id FROM jobs WHERE id = ?', [job_id])
  return String(row?.result_id)
}

export async function countEffects(system: Inside): Promise<number> {
  const [row] = await query(system, 'SELECT count(*) AS count FROM outbox')
  return Number(row?.count)
}

/** The keys of all objects that attempts at a job have left in storage. */
export async function listResults({ ports, secrets }: Inside, job_id: string): Promise<string[]> {
  const signer = new AwsClient({
    accessKeyId: secrets.s3_access_key_id,
    secretAccessKey: secrets.s3_secret_access_key,
    service: 's3',
    region: 'auto',
  })
  const prefix = `results/${await readResultId({ ports, secrets }, job_id)}/`
  const response = await signer.fetch(`${storageUrl(ports)}/${BUCKET}?list-type=2&prefix=${prefix}`)
  if (!response.ok) throw new Error(`the storage answered ${response.status}`)
  return [...(await response.text()).matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, key = '']) => key)
}
