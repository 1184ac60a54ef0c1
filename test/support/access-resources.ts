import { join } from 'node:path'
import sharp from 'sharp'
import { z } from 'zod'
import type { SharedSystem } from '../system/setup.ts'
import type { Account } from './accounts.ts'
import { execute } from './credentials.ts'
import { run, upload } from './jobs.ts'

/** For each path parameter, the id of one of the owner's resources. */
export type Resources = Record<string, string> & { job_id: string; file_url: string }

/** @param token_id id of the owner's key that an administrator revoked */
export async function makeResources(
  { database_url }: SharedSystem,
  { id, client }: Account,
  token_id: string,
  folder: string,
): Promise<Resources> {
  const dot = join(folder, 'dot.png')
  await sharp({ create: { width: 32, height: 32, channels: 3, background: '#808080' } }).toFile(dot)
  const job = await run(client, 'image/resize', await upload(client, dot), { width: 16 })
  const insert = (table: string, row: Record<string, string | number>) => {
    const columns = Object.keys(row)
    const places = columns.map(() => '?').join(', ')
    const sql = `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${places})`
    return execute(database_url, sql, Object.values(row))
  }
  const ids = {
    delivery_id: `msg_${job.id}`,
    endpoint_id: crypto.randomUUID(),
    batch_id: crypto.randomUUID(),
    order_id: crypto.randomUUID(),
    refund_id: crypto.randomUUID(),
    withdrawal_id: crypto.randomUUID(),
    template_name: `teaser-${crypto.randomUUID()}`,
    /** Of a session. */
    id: crypto.randomUUID(),
  }
  const { delivery_id, endpoint_id, batch_id, order_id, refund_id, withdrawal_id } = ids
  // Rows are created with the current time, because old rows are purged.
  const own = { account_id: id, created_at: Date.now() }
  const times = { last_used_at: Date.now(), expires_at: Date.now() + 86_400_000 }
  await insert('sessions', { ...own, id: ids.id, ...times })
  await insert('webhook_deliveries', {
    ...own,
    ...{ id: delivery_id, job_id: job.id, type: 'job.done', url: 'http://127.0.0.1:9/' },
    ...{ status: 'failed', retry_until: 1 },
  })
  // The port is not used, so each test fails at once.
  await insert('webhook_endpoints', {
    ...own,
    ...{ id: endpoint_id, url: 'http://127.0.0.1:9/', events: '["*"]', enabled: 1 },
    ...{ secret: `whsec_${btoa(endpoint_id)}`, secret_created_at: 1 },
  })
  // Inserts a batch of one existing job, so nothing more is charged.
  await insert('batches', {
    ...own,
    ...{ id: batch_id, service_slug: 'image', operation_key: 'resize', params: '{}', total: 1 },
  })
  const sql = 'UPDATE jobs SET batch_id = ?, batch_position = 0 WHERE id = ?'
  await execute(database_url, sql, [batch_id, job.id])
  const connection_name = await connectStorage(client)
  // A check connects to no private address, so it needs no network.
  const private_endpoint = 'UPDATE storage_connections SET endpoint = ? WHERE name = ?'
  await execute(database_url, private_endpoint, ['https://127.0.0.1:9', connection_name])
  const template = { account_id: id, name: ids.template_name, version: 1, created_at: 1 }
  await insert('templates', { ...template, updated_at: 1 })
  await insert('template_versions', {
    ...template,
    ...{ service_slug: 'image', operations: '[{"operation_key":"resize","params":{"width":16}}]' },
  })
  // Inserts an unpaid order with a refund and a withdrawal, a combination that cannot exist in production.
  await insert('orders', {
    ...own,
    ...{ id: order_id, kind: 'package', status: 'expired', provider: 'sandbox_card', item_name: 'Pack' },
    ...{ credits: 1, amount_cents: 1, currency: 'USD', terms_version: '1' },
  })
  await insert('refunds', {
    ...own,
    ...{ id: refund_id, order_id, status: 'rejected', reason: 'policy', amount_cents: 1, currency: 'USD' },
    ...{ credits_removed: 0, credits_withdrawn: 0 },
  })
  await insert('withdrawals', {
    ...{ id: withdrawal_id, order_id, account_id: id, statement: 'I withdraw.', stated_at: 1 },
  })
  return {
    ...ids,
    job_id: job.id,
    account_id: String(id),
    session_id: (await makeLink({ client })).id,
    token: (await makeLink({ client })).token,
    token_id,
    version: '1',
    operation_id: '1',
    package_id: '1',
    plan_id: '1',
    promotion_id: '999999999',
    event_id: '999999999',
    connection_name,
    provider: 'sandbox_card',
    bot_id: '1',
    file_url: job.result?.url ?? '',
  }
}

/** @returns the name of the connection, which no other account uses */
async function connectStorage(client: Account['client']): Promise<string> {
  const name = `archive-${crypto.randomUUID()}`
  const bucket = { endpoint: 'https://storage.example.org', region: 'auto', bucket: 'media' }
  const credentials = { access_key_id: 'a', secret_access_key: 'b' }
  const response = await client.send('POST', '/api/v1/storage-connections', {
    name,
    ...bucket,
    ...credentials,
  })
  if (response.status !== 201) throw new Error(await response.text())
  return name
}

const Link = z.looseObject({ id: z.string(), token: z.string() })

/** Creates an upload link that has no upload yet. */
async function makeLink({ client }: Pick<Account, 'client'>) {
  const operation = { service_slug: 'image', operation_key: 'resize', params: { width: 16 } }
  return Link.parse(await (await client.send('POST', '/api/v1/upload-sessions', operation)).json())
}
