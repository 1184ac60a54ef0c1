import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, vi } from 'vitest'
import { z } from 'zod'
import { Client } from '../../dev/client.ts'
import type { SharedSystem } from '../system/setup.ts'
import { makeResources } from './access-resources.ts'
import type { Account } from './accounts.ts'
import { call, openOrder, query, showOrder } from './checkout.ts'
import { createKey } from './credentials.ts'
import { upload } from './jobs.ts'
import { openSandbox } from './payment-sandbox.ts'

const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

/** Resources, keyed by the name that requests use. */
export type NamedResources = Record<string, string | number>

const RESIZE = { service_slug: 'image', operation_key: 'resize', params: { width: 16 } }

/** Creates one resource of each kind for the owner. The returned `image` is the path of the uploaded file. */
export async function makeOwnResources(system: SharedSystem, owner: Account, folder: string) {
  const { client } = owner
  const [key, other] = [await createKey(owner), await createKey(owner)]
  const { file_url: result_url, ...resources } = await makeResources(system, owner, String(key.id), folder)
  const image = join(folder, 'dot.png')
  const file_url = await upload(client, image)
  const open = await insertOpenBatch(system, resources.job_id)
  const order_id = await buyPack(system, owner)
  const path = `/api/v1/billing/payments/${order_id}/withdrawal`
  const withdrawal = await call(client, 'POST', path, z.looseObject({ id: z.string() }))
  const own: NamedResources = {
    ...resources,
    ...open,
    ...{ account_id: owner.id, other_token_id: other.id, file_url, result_url },
    ...{ order_id, withdrawal_id: withdrawal.id },
    storage_url: `storage://${resources.connection_name}/a.png`,
    ...(await sendPart(client, image)),
  }
  const links = await makeLinks(client, image, file_url)
  return { image, resources: { ...own, ...links, own_file_url: await upload(client, image) } }
}

/**
 * Returns the owner's resources as a stranger would name them. The stranger has only a file and links of their own.
 */
export async function nameAsStranger(client: Client, resources: NamedResources, image: string) {
  const file_url = String(resources.file_url)
  const { begun_key: _own, ...links } = await makeLinks(client, image, file_url)
  const unknown_logo_token = await makeLogoLink(
    client,
    file_url.replace(UUID, () => crypto.randomUUID()),
  )
  return { ...resources, ...links, unknown_logo_token, own_file_url: await upload(client, image) }
}

/** Returns the owner's resources as an anonymous caller would name them. The caller has only a file of their own. */
export async function nameAsNobody({ apiUrl }: Client, resources: NamedResources, image: string) {
  return { ...resources, own_file_url: await upload(new Client(apiUrl), image) }
}

const OWN_NAMES = ['own_file_url', 'begun_token', 'etag']

/** Replaces the owner's resources with nonexistent ids in the same format. Keeps the sender's own resources. */
export function inventResources(resources: NamedResources): NamedResources {
  const inventOne = (name: string, thing: string | number) => {
    if (OWN_NAMES.includes(name)) return thing
    if (name === 'logo_token') return resources.unknown_logo_token ?? thing
    if (typeof thing === 'number' || /^\d+$/.test(thing)) return 999_999_999
    const other = thing.replace(UUID, () => crypto.randomUUID())
    return other === thing ? [...thing].reverse().join('') : other
  }
  return Object.fromEntries(Object.entries(resources).map(([name, thing]) => [name, inventOne(name, thing)]))
}

const COPIED =
  'account_id, service_slug, operation_key, params, dispatch, source, tariff, moves, heard_at, created_at'

/** Inserts a batch of two queued jobs, as if the fleet were busy. */
async function insertOpenBatch(system: SharedSystem, like: string) {
  const ids = { open_batch_id: crypto.randomUUID(), open_job_id: crypto.randomUUID() }
  const batch = `INSERT INTO batches (id, account_id, service_slug, operation_key, params, total, created_at)
    SELECT ?, account_id, service_slug, operation_key, params, 2, created_at FROM jobs WHERE id = ?`
  await query(system, batch, [ids.open_batch_id, like])
  const job = `INSERT INTO jobs (id, batch_id, batch_position, status, estimated_cost, ${COPIED})
    SELECT ?, ?, ?, 'queued', 0, ${COPIED} FROM jobs WHERE id = ?`
  for (const [position, id] of [ids.open_job_id, crypto.randomUUID()].entries())
    await query(system, job, [id, ids.open_batch_id, position, like])
  return ids
}

/** Buys a pack. @returns the id of the paid order */
async function buyPack(system: SharedSystem, { client }: Account): Promise<string> {
  const { order_id } = await openOrder(client, { package_id: 1 })
  await openSandbox(system).act(order_id, 'pay')
  const isPaid = async () => expect(await showOrder(client, order_id)).toMatchObject({ status: 'paid' })
  await vi.waitFor(isPaid, { timeout: 30_000, interval: 50 })
  return order_id
}

const StartedUpload = z.looseObject({ upload_id: z.string(), key: z.string() })
const Signed = z.looseObject({ put_url: z.url(), headers: z.record(z.string(), z.string()) })

/** Starts a multipart upload and sends all its parts but does not complete it. */
async function sendPart(client: Client, file: string) {
  const bytes = await readFile(file)
  const described = { filename: 'dot.png', content_type: 'image/png', size_bytes: bytes.length }
  const path = '/api/v1/uploads/multipart'
  const { upload_id, key } = await call(client, 'POST', `${path}/create`, StartedUpload, described)
  const signed = await call(client, 'POST', `${path}/sign-part`, Signed, { upload_id, key, part_number: 1 })
  return { upload_id, key, etag: (await put(signed, bytes)).headers.get('etag') ?? '' }
}

const Presigned = Signed.extend({ key: z.string() })
const Link = z.looseObject({ token: z.string() })

/** Creates a link with an upload that is stored but not completed, and a link whose params refer to a file. */
async function makeLinks(client: Client, file: string, logo_url: string) {
  const begun = await call(client, 'POST', '/api/v1/upload-sessions', Link, RESIZE)
  const bytes = await readFile(file)
  const described = { filename: 'dot.png', content_type: 'image/png', size_bytes: bytes.length }
  const path = `/api/v1/upload-links/${begun.token}/presign`
  const presigned = await call(client, 'POST', path, Presigned, described)
  await put(presigned, bytes)
  return {
    begun_token: begun.token,
    begun_key: presigned.key,
    logo_token: await makeLogoLink(client, logo_url),
  }
}

/** Creates an upload link for a watermark whose logo is another file. */
async function makeLogoLink(client: Client, logo_url: string): Promise<string> {
  const watermark = { ...RESIZE, operation_key: 'watermark', params: { logo_url } }
  return (await call(client, 'POST', '/api/v1/upload-sessions', Link, watermark)).token
}

async function put({ put_url, headers }: z.infer<typeof Signed>, body: Buffer): Promise<Response> {
  const response = await fetch(put_url, { method: 'PUT', headers, body: new Uint8Array(body) })
  expect(response.status, await response.text()).toBe(200)
  return response
}
