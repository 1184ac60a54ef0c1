import { readFile } from 'node:fs/promises'
import { expect, inject, test } from 'vitest'
import { BUCKET } from '../dev/system/wrangler-config.ts'
import { type Account, openAccount } from './support/accounts.ts'
import { makeClip } from './support/clips.ts'
import { makeTestFolder } from './support/folder.ts'
import { run, upload } from './support/jobs.ts'

const system = inject('system')
const folder = makeTestFolder()
const MEBIBYTE = 1024 ** 2

async function prepare({ client }: Account, path: string, body: object): Promise<Record<string, string>> {
  return (await client.send('POST', `/api/v1/uploads/${path}`, body)).json() as Promise<
    Record<string, string>
  >
}

/**
 * Uploads a file as another account.
 * @returns the file's key in the form of a copy source
 */
async function uploadAsStranger(): Promise<string> {
  const stranger = await openAccount(system.api_url)
  const url = await upload(stranger.client, await makeClip(folder, { name: 'private.mp4', seconds: 1 }))
  return `/${BUCKET}${new URL(url).pathname.replace(/^\/files/, '')}`
}

test('a presigned upload stores the sent bytes and cannot copy an object of another account', async () => {
  const [account, source] = [await openAccount(system.api_url), await uploadAsStranger()]
  const declared = { filename: 'clip.mp4', content_type: 'video/mp4', size_bytes: 4 }
  const { put_url = '', url = '' } = await prepare(account, 'presign', declared)
  const put = (headers: Record<string, string>) =>
    fetch(put_url, { method: 'PUT', headers: { 'content-type': 'video/mp4', ...headers }, body: 'clip' })
  expect((await put({ 'x-amz-copy-source': source })).status).toBe(403)
  expect((await fetch(url)).status).toBe(404)
  expect((await put({})).status).toBe(200)
  expect(await (await fetch(url)).text()).toBe('clip')
})

test('a presigned part cannot copy an object of another account', async () => {
  const [account, source] = [await openAccount(system.api_url), await uploadAsStranger()]
  const declared = { filename: 'film.mp4', content_type: 'video/mp4', size_bytes: MEBIBYTE }
  const { upload_id, key } = await prepare(account, 'multipart/create', declared)
  const { put_url = '' } = await prepare(account, 'multipart/sign-part', { upload_id, key, part_number: 1 })
  // The body is short, because the local storage would refuse the request before reading all of a long body.
  const refused = await fetch(put_url, {
    method: 'PUT',
    headers: { 'x-amz-copy-source': source },
    body: 'part',
  })
  expect(refused.status).toBe(403)
  expect((await fetch(put_url, { method: 'PUT', body: Buffer.alloc(MEBIBYTE) })).status).toBe(200)
})

test('a file that is sent again after its check fails the next job, which costs nothing', async () => {
  const account = await openAccount(system.api_url)
  const bytes = await readFile(await makeClip(folder, { name: 'checked.mp4', seconds: 1 }))
  const declared = { filename: 'clip.mp4', content_type: 'video/mp4', size_bytes: bytes.length }
  const { put_url = '', url = '' } = await prepare(account, 'presign', declared)
  const put = async (body: Buffer) => {
    const headers = { 'content-type': 'video/mp4' }
    expect((await fetch(put_url, { method: 'PUT', headers, body: new Uint8Array(body) })).status).toBe(200)
  }
  await put(bytes)
  expect((await run(account.client, 'video/thumbnail', url)).status).toBe('done')
  await put(Buffer.from([...bytes.subarray(0, -1), 1]))
  const failed = await run(account.client, 'video/thumbnail', url)
  expect(failed).toMatchObject({ status: 'failed', error_code: 'download_failed', final_cost: 0 })
})
