import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { AwsClient } from 'aws4fetch'
import { expect, inject, test } from 'vitest'
import type { Uploaded } from './browser/upload-page.ts'
import { openAccount } from './support/accounts.ts'
import { openPage, useChromium } from './support/chromium.ts'
import { makeClip } from './support/clips.ts'
import { makeTestFolder } from './support/folder.ts'
import { runToResult } from './support/jobs.ts'

const system = inject('system')
const folder = makeTestFolder()
const MEBIBYTE = 1024 ** 2
/** Exceeds a Worker's request size limit and needs more than ten parts, whose numbers sort differently as text. */
const FILM_BYTES = 100 * MEBIBYTE
const PAGE = '<!doctype html><title>Upload</title><input type="file">'
const browser = useChromium()

/** Creates a clip that is padded to 100 MiB with a `free` box. Every MiB is different. */
async function makeFilm(): Promise<string> {
  const film = await makeClip(folder, { name: 'film.mp4', seconds: 2 })
  const { size } = await stat(film)
  const file = await open(film, 'a')
  try {
    const head = Buffer.alloc(8)
    head.writeUInt32BE(FILM_BYTES - size, 0)
    head.write('free', 4)
    await file.write(head)
    for (let left = FILM_BYTES - size - head.length; left > 0; left -= MEBIBYTE) {
      await file.write(
        Buffer.alloc(Math.min(left, MEBIBYTE), createHash('sha256').update(`${left}`).digest()),
      )
    }
  } finally {
    await file.close()
  }
  return film
}

async function hashOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of chunks) hash.update(chunk)
  return hash.digest('hex')
}

/** Signs the same URL as if it had been signed two hours ago. */
async function signLongAgo(put_url: string): Promise<string> {
  const { access_key_id, secret_access_key } = system.storage
  const signer = new AwsClient({
    accessKeyId: access_key_id,
    secretAccessKey: secret_access_key,
    service: 's3',
    region: 'auto',
  })
  const given = new URL(put_url)
  const url = new URL(given.origin + given.pathname)
  for (const name of ['partNumber', 'uploadId', 'X-Amz-Expires'])
    url.searchParams.set(name, given.searchParams.get(name) ?? '')
  const datetime = new Date(Date.now() - 2 * 3_600_000).toISOString().replace(/[:-]|\.\d{3}/g, '')
  return (await signer.sign(url, { method: 'PUT', aws: { signQuery: true, datetime } })).url
}

test('a browser uploads 100 MiB in parts, and a part with an expired signature is signed again', async () => {
  const film = await makeFilm()
  const { client } = await openAccount(system.api_url)
  const page = await openPage(
    browser(),
    `${system.api_url}/upload-page`,
    PAGE,
    join(import.meta.dirname, 'browser/upload-page.ts'),
  )
  let expired = 0
  await page.exposeFunction('getExpiredUrl', async (put_url: string, part_number: number) => {
    if (part_number !== 3 || expired > 0) return null
    expired += 1
    return signLongAgo(put_url)
  })
  await page.locator('input').setInputFiles(film)
  const upload = `uploadByParts(${JSON.stringify(client.token)})`
  const uploaded = (await page.evaluate(upload)) as Uploaded
  expect([uploaded.parts, expired]).toEqual([20, 1])
  expect(uploaded.signatures).toBe(21)
  const response = await client.download(uploaded.url)
  expect(response.headers.get('content-length')).toBe(String(FILM_BYTES))
  const [stored, sent] = await Promise.all([
    hashOf(response.body as unknown as AsyncIterable<Uint8Array>),
    hashOf(createReadStream(film)),
  ])
  expect(stored).toBe(sent)
  const thumbnail = await runToResult(client, 'video/thumbnail', uploaded.url, { format: 'png' })
  expect(thumbnail.result).toMatchObject({ content_type: 'image/png', body: { width: 320, height: 180 } })
})

test('storage accepts only a part of the signed length', async () => {
  const { client } = await openAccount(system.api_url)
  const send = async (path: string, body: object) =>
    (await client.send('POST', `/api/v1/uploads/multipart/${path}`, body)).json() as Promise<
      Record<string, string>
    >
  const file = { filename: 'a.mp4', content_type: 'video/mp4', size_bytes: 6 * MEBIBYTE }
  const { upload_id, key } = await send('create', file)
  const { put_url = '' } = await send('sign-part', { upload_id, key, part_number: 2 })
  const isAccepted = async (bytes: number) => {
    const put = fetch(put_url, { method: 'PUT', body: new Uint8Array(bytes) })
    const response = await put.catch(() => null)
    await response?.body?.cancel()
    return response?.ok ?? false
  }
  // The local storage refuses with a 403. If it stops reading mid-body, it responds with a 500 or closes the
  // connection.
  expect([
    await isAccepted(MEBIBYTE - 1),
    await isAccepted(MEBIBYTE + 1),
    await isAccepted(MEBIBYTE),
  ]).toEqual([false, false, true])
})
