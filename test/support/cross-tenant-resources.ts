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

/** By the name that requests call it by. */
export type NamedResources = Record<string, string | number>

const RESIZE = { service_slug: 'image', operation_key: 'resize', params: { width: 16 } }

/** One of each thing that requests can name, all of them the owner's; `picture` is what is uploaded. */
export async function makeOwnResources(system: SharedSystem, owner: Account, folder: string) {
  const { client } = owner
  const [key, other] = [await createKey(owner), await createKey(owner)]
  const { file_url: result_url, ...things } = await makeResources(system, owner, String(key.id), folder)
  const picture = join(folder, 'dot.png')
  const file_url = await upload(client, picture)
  const open = await insertOpenBatch(system, things.job_id)
  const order_id = await buyPack(system, owner)
  const path = `/api/v1/billing/payments/${order_id}/withdrawal`
  const withdrawal = await call(client, 'POST', path, z.looseObject({ id: z.string() }))
  const own: NamedResources = {
    ...things,
    ...open,
    ...{ account_id: owner.id, other_token_id: other.id, file_url, result_url },
    ...{ order_id, withdrawal_id: withdrawal.id },
    ...(await sendPart(client, picture)),
  }
  const links = await makeLinks(client, picture, file_url)
  return { picture, things: { ...own, ...links, own_file_url: await upload(client, picture) } }
}

/** The same names for somebody who has nothing but a file and links of their own. */
export async function nameAsStranger(client: Client, things: NamedResources, picture: string) {
  const file_url = String(things.file_url)
  const { begun_key: _own, ...links } = await makeLinks(client, picture, file_url)
  const vain_token = await makeLogoLink(
    client,
    file_url.replace(UUID, () => crypto.randomUUID()),
  )
  return { ...things, ...links, vain_token, own_file_url: await upload(client, picture) }
}

/** And for nobody in particular, who has a file. */
export async function nameAsNobody({ apiUrl }: Client, things: NamedResources, picture: string) {
  return { ...things, own_file_url: await upload(new Client(apiUrl), picture) }
}

const KEPT = ['own_file_url', 'begun_token', 'etag']

/** Names of the same form, of things that there are none of; what is the sender's own stays. */
export function makeUp(things: NamedResources): NamedResources {
  const makeUpOne = (name: string, thing: string | number) => {
    if (KEPT.includes(name)) return thing
    if (name === 'logo_token') return things.vain_token ?? thing
    if (typeof thing === 'number' || /^\d+$/.test(thing)) return 999_999_999
    const other = thing.replace(UUID, () => crypto.randomUUID())
    return other === thing ? [...thing].reverse().join('') : other
  }
  return Object.fromEntries(Object.entries(things).map(([name, thing]) => [name, makeUpOne(name, thing)]))
}

const COPIED =
  'account_id, service_slug, operation_key, params, dispatch, source, tariff, moves, heard_at, created_at'

/** A batch of two jobs that nobody works on yet, as if the fleet were busy. */
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

/** An order that is paid and delivered. */
async function buyPack(system: SharedSystem, { client }: Account): Promise<string> {
  const { order_id } = await openOrder(client, { package_id: 1 })
  await openSandbox(system).act(order_id, 'pay')
  const isPaid = async () => expect(await showOrder(client, order_id)).toMatchObject({ status: 'paid' })
  await vi.waitFor(isPaid, { timeout: 30_000, interval: 50 })
  return order_id
}

const Begun = z.looseObject({ upload_id: z.string(), key: z.string() })
const Signed = z.looseObject({ put_url: z.url(), headers: z.record(z.string(), z.string()) })

/** An upload by parts of which all has come, and that is still to be completed. */
async function sendPart(client: Client, file: string) {
  const bytes = await readFile(file)
  const described = { filename: 'dot.png', content_type: 'image/png', size_bytes: bytes.length }
  const path = '/api/v1/uploads/multipart'
  const { upload_id, key } = await call(client, 'POST', `${path}/create`, Begun, described)
  const signed = await call(client, 'POST', `${path}/sign-part`, Signed, { upload_id, key, part_number: 1 })
  return { upload_id, key, etag: (await put(signed, bytes)).headers.get('etag') ?? '' }
}

const Presigned = Signed.extend({ key: z.string() })
const Link = z.looseObject({ token: z.string() })

/** A link by which a file has come that was not told of yet, and one whose params name a file. */
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

/** A link by which a file comes that another one is to be laid over. */
async function makeLogoLink(client: Client, logo_url: string): Promise<string> {
  const watermark = { ...RESIZE, operation_key: 'watermark', params: { logo_url } }
  return (await call(client, 'POST', '/api/v1/upload-sessions', Link, watermark)).token
}

async function put({ put_url, headers }: z.infer<typeof Signed>, body: Buffer): Promise<Response> {
  const response = await fetch(put_url, { method: 'PUT', headers, body: new Uint8Array(body) })
  expect(response.status, await response.text()).toBe(200)
  return response
}
