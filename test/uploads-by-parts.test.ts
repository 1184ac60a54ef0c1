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
/** More than a Worker takes in one request; and more than ten parts, whose order by number is not that of letters. */
const FILM_BYTES = 100 * MEBIBYTE
const PAGE = '<!doctype html><title>Upload</title><input type="file">'
const browser = useChromium()

/** A clip that a box of padding makes 100 MB long; every MiB of it differs from the others. */
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

/** The same address as if it had been signed two hours ago. */
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

test('100 MB go by parts from a browser into a job, and a part whose signature expired is signed again', async () => {
  const film = await makeFilm()
  const { client } = await openAccount(system.api_url)
  const page = await openPage(
    browser(),
    `${system.api_url}/upload-page`,
    PAGE,
    join(import.meta.dirname, 'browser/upload-page.ts'),
  )
  let stale = 0
  await page.exposeFunction('giveStaleAddress', async (put_url: string, part_number: number) => {
    if (part_number !== 3 || stale > 0) return null
    stale += 1
    return signLongAgo(put_url)
  })
  await page.locator('input').setInputFiles(film)
  const upload = `uploadByParts(${JSON.stringify(client.token)})`
  const uploaded = (await page.evaluate(upload)) as Uploaded
  expect([uploaded.parts, stale]).toEqual([20, 1])
  expect(uploaded.signatures).toBe(21)
  const response = await client.download(uploaded.url)
  expect(response.headers.get('content-length')).toBe(String(FILM_BYTES))
  const [came, sent] = await Promise.all([
    hashOf(response.body as unknown as AsyncIterable<Uint8Array>),
    hashOf(createReadStream(film)),
  ])
  expect(came).toBe(sent)
  const picture = await runToResult(client, 'video/thumbnail', uploaded.url, { format: 'png' })
  expect(picture.result).toMatchObject({ content_type: 'image/png', body: { width: 320, height: 180 } })
})

test('storage takes a part of exactly the length that was signed', async () => {
  const { client } = await openAccount(system.api_url)
  const send = async (path: string, body: object) =>
    (await client.send('POST', `/api/v1/uploads/multipart/${path}`, body)).json() as Promise<
      Record<string, string>
    >
  const file = { filename: 'a.mp4', content_type: 'video/mp4', size_bytes: 6 * MEBIBYTE }
  const { upload_id, key } = await send('create', file)
  const { put_url = '' } = await send('sign-part', { upload_id, key, part_number: 2 })
  const isTaken = async (bytes: number) => {
    const put = fetch(put_url, { method: 'PUT', body: new Uint8Array(bytes) })
    const response = await put.catch(() => null)
    await response?.body?.cancel()
    return response?.ok ?? false
  }
  // The local storage refuses with 403; with 500, or by hanging up, where it stops reading in the middle.
  expect([await isTaken(MEBIBYTE - 1), await isTaken(MEBIBYTE + 1), await isTaken(MEBIBYTE)]).toEqual([
    false,
    false,
    true,
  ])
})
