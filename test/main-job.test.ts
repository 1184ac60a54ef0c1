import { stat } from 'node:fs/promises'
import { AwsClient } from 'aws4fetch'
import { beforeAll, expect, inject, test } from 'vitest'
import { Client } from '../dev/client.ts'
import { type Account, openAccount } from './support/accounts.ts'
import { makeClip } from './support/clips.ts'
import { expectChargedOnce } from './support/credits.ts'
import { makeTestFolder } from './support/folder.ts'
import { run, runToResult, submit, upload } from './support/jobs.ts'

const system = inject('system')
const folder = makeTestFolder()
let clip: string
let owner: Account
let client: Client

beforeAll(async () => {
  clip = await makeClip(folder, { name: 'holiday.mp4', seconds: 1 })
})

async function openNewAccount(): Promise<void> {
  owner = await openAccount(system.api_url)
  client = owner.client
}

async function bodyOf(response: Response | Promise<Response>): Promise<{ status: number; body: unknown }> {
  const answered = await response
  return { status: answered.status, body: await answered.json() }
}

test('a new account uploads a video, runs a job and is charged once', async () => {
  await openNewAccount()
  expect(await client.balance()).toBe(20)
  const file_url = await upload(client, clip)
  const submitted = await submit(client, 'video/compress', file_url, { preset: 'ultrafast' })
  expect(submitted).toMatchObject({ status: 'queued', source: 'web', estimated_cost: 2, final_cost: null })
  const job = await client.waitForJob(submitted.id, 60_000)
  expect(job).toMatchObject({ status: 'done', progress: 100, final_cost: 2, error: null, error_code: null })
  expect(job.processing_seconds).toBeGreaterThan(0)
  expect(Date.parse(job.started_at ?? '')).toBeGreaterThanOrEqual(Date.parse(job.created_at))
  expect(Date.parse(job.finished_at ?? '')).toBeGreaterThanOrEqual(Date.parse(job.started_at ?? ''))
  expect(job.result).toMatchObject({ filename: 'holiday-compress.mp4', content_type: 'video/mp4' })
  expect(job.result?.body).toMatchObject({ encode_mode: 'encode', width: 320, height: 180, format: 'mp4' })
  expect(await client.balance()).toBe(18)
  await expectChargedOnce(client, [job])
})

test('only the owner downloads a result, as an attachment and by ranges', async () => {
  await openNewAccount()
  const { result } = await runToResult(client, 'video/thumbnail', await upload(client, clip))
  const path = `/api/v1/uploads/download?url=${encodeURIComponent(result.url)}`
  const whole = await client.send('GET', path)
  expect(whole.headers.get('content-disposition')).toMatch(/^attachment; filename="holiday-thumbnail\.jpg"/)
  expect(whole.headers.get('content-type')).toBe('image/jpeg')
  const bytes = Buffer.from(await whole.arrayBuffer())
  expect(bytes.length).toBe(result.size_bytes)
  const part = await client.send('GET', path, undefined, { range: 'bytes=10-19' })
  expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 10-19/${bytes.length}`])
  expect(Buffer.from(await part.arrayBuffer())).toEqual(bytes.subarray(10, 20))

  const stranger = (await openAccount(system.api_url)).client
  expect((await bodyOf(stranger.send('GET', path))).status).toBe(404)
  expect((await bodyOf(new Client(system.api_url).send('GET', path))).status).toBe(401)
})

test('a range that starts at the end of the file is refused, so that a resumed download adds no bytes', async () => {
  await openNewAccount()
  const { size } = await stat(clip)
  const path = `/api/v1/uploads/download?url=${encodeURIComponent(await upload(client, clip))}`
  const response = await client.send('GET', path, undefined, { range: `bytes=${size}-` })
  await response.body?.cancel()
  expect(response.status).toBe(416)
})

test('jobs, uploads and results of another account are inaccessible, and attempts cost nothing', async () => {
  await openNewAccount()
  const file_url = await upload(client, clip)
  const { job, result } = await runToResult(client, 'video/thumbnail', file_url)
  const stranger = (await openAccount(system.api_url)).client
  expect((await bodyOf(stranger.send('GET', `/api/v1/jobs/${job.id}`))).status).toBe(404)
  expect((await bodyOf(stranger.send('POST', `/api/v1/jobs/${job.id}/cancel`))).status).toBe(404)
  for (const url of [file_url, result.url]) {
    await expect(submit(stranger, 'image/resize', url, { width: 64 })).rejects.toMatchObject({ status: 400 })
  }
  expect(await stranger.balance()).toBe(20)
})

test('an API key is accepted in either header, but not where a session is required', async () => {
  await openNewAccount()
  const created = await bodyOf(client.send('POST', '/api/v1/tokens', { name: 'tests' }))
  expect(created).toMatchObject({ status: 201, body: { plaintext: expect.stringMatching(/^mk_/) } })
  const { plaintext } = created.body as { plaintext: string }
  const file_url = await upload(client, clip)
  const submission = { service_slug: 'video', operation_key: 'thumbnail', params: { file_url } }
  const anonymous = new Client(system.api_url)
  const jobs = await Promise.all(
    [
      ['x-api-key', plaintext],
      ['authorization', `Bearer ${plaintext}`],
    ].map(async ([name = '', value = '']) => {
      const headers = { [name]: value }
      const { status, body } = await bodyOf(anonymous.send('POST', '/api/v1/jobs/api', submission, headers))
      expect(status).toBe(201)
      return client.waitForJob((body as { id: string }).id, 60_000)
    }),
  )
  expect(jobs.map(({ status, source }) => [status, source])).toEqual(Array(2).fill(['done', 'api']))
  await expectChargedOnce(client, jobs)
  const key = { 'x-api-key': plaintext }
  expect((await bodyOf(anonymous.send('POST', '/api/v1/jobs', submission, key))).status).toBe(401)
  expect((await bodyOf(anonymous.send('GET', '/api/v1/billing/balance', undefined, key))).status).toBe(401)
  const ping = await bodyOf(anonymous.send('GET', '/api/v1/me/ping', undefined, key))
  expect(ping.body).toMatchObject({ ok: true, auth: 'key', account_id: owner.id, balance: 16 })
  expect(ping.body).toMatchObject({ key: { name: 'tests', used_today: 3 } })
})

test('a login creates a session of the same account', async () => {
  await openNewAccount()
  const second = new Client(system.api_url)
  await second.login(owner.credentials)
  expect((await bodyOf(second.send('GET', '/api/v1/auth/me'))).body).toMatchObject({ id: owner.id })
  const wrong = { ...owner.credentials, password: 'not-the-password' }
  await expect(second.login(wrong)).rejects.toMatchObject({ status: 401 })
})

test('the catalog, OpenAPI document, documentation and health routes are public', async () => {
  const anonymous = new Client(system.api_url)
  const { body: tools } = await bodyOf(anonymous.send('GET', '/api/v1/studio/tools'))
  const names = (tools as { service_slug: string; operation_key: string }[]).map(
    ({ service_slug, operation_key }) => `${service_slug}/${operation_key}`,
  )
  const expected = ['video/compress', 'video/trim', 'video/thumbnail', 'image/resize', 'image/convert']
  expect(names).toEqual(expect.arrayContaining(expected))
  expect(await bodyOf(anonymous.send('GET', '/api/health'))).toMatchObject({ status: 200 })
  const checks = { database: 'ok', cache: 'ok' }
  expect(await anonymous.readiness()).toMatchObject({ http_status: 200, status: 'ok', checks })
  const { body: description } = await bodyOf(anonymous.send('GET', '/openapi.json'))
  expect(description).toMatchObject({ openapi: expect.stringMatching(/^3\.1/), info: { version: '0.1.0' } })
  expect(Object.keys((description as { paths: object }).paths)).toContain('/api/v1/jobs/{job_id}')
  const docs = await anonymous.send('GET', '/docs')
  expect([docs.status, docs.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/html')])
  expect(await docs.text()).toContain('Quick start')
})

test('storage accepts only the upload that was signed', async () => {
  await openNewAccount()
  const bytes = Buffer.alloc(1000, 7)
  const { put_url } = await client.presign({
    filename: 'a.mp4',
    content_type: 'video/mp4',
    size_bytes: bytes.length,
  })
  const put = async (url: string, body: Buffer, type: string) => {
    const response = await fetch(url, {
      method: 'PUT',
      headers: { 'content-type': type },
      body: new Uint8Array(body),
    })
    await response.body?.cancel()
    return response.status
  }
  expect(await put(put_url, bytes, 'video/webm')).toBe(403)
  expect(await put(put_url, bytes.subarray(1), 'video/mp4')).toBe(403)
  expect(await put(put_url, Buffer.concat([bytes, bytes]), 'video/mp4')).toBe(403)
  const altered = new URL(put_url)
  const signature = altered.searchParams.get('X-Amz-Signature') ?? ''
  altered.searchParams.set(
    'X-Amz-Signature',
    signature.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
  )
  expect(await put(altered.href, bytes, 'video/mp4')).toBe(403)
  expect(await put(put_url.replace('a.mp4', 'b.mp4'), bytes, 'video/mp4')).toBe(403)
  expect(await put(put_url, bytes, 'video/mp4')).toBe(200)
})

test('storage refuses an expired signature', async () => {
  const { url, access_key_id, secret_access_key } = system.storage
  const signer = new AwsClient({
    accessKeyId: access_key_id,
    secretAccessKey: secret_access_key,
    service: 's3',
    region: 'auto',
  })
  const put = async (signed_at: Date) => {
    const aws = { signQuery: true, datetime: signed_at.toISOString().replace(/[:-]|\.\d{3}/g, '') }
    const address = `${url}/uploads/${crypto.randomUUID()}/late.mp4?X-Amz-Expires=60`
    const { url: signed } = await signer.sign(address, { method: 'PUT', aws })
    const response = await fetch(signed, { method: 'PUT', body: 'x' })
    await response.body?.cancel()
    return response.status
  }
  expect(await put(new Date())).toBe(200)
  expect(await put(new Date(Date.now() - 120_000))).toBe(403)
})

test("a result's URL can be the input of the next job", async () => {
  await openNewAccount()
  const compressed = await runToResult(client, 'video/compress', await upload(client, clip), {
    preset: 'ultrafast',
  })
  const thumbnail = await runToResult(client, 'video/thumbnail', compressed.result.url, { format: 'png' })
  const small = await runToResult(client, 'image/resize', thumbnail.result.url, { width: 64 })
  expect(small.result).toMatchObject({ content_type: 'image/png', body: { width: 64, height: 36 } })
  await expectChargedOnce(client, [compressed.job, thumbnail.job, small.job])
  const wrong = submit(client, 'image/resize', compressed.result.url, { width: 64 })
  await expect(wrong).rejects.toMatchObject({
    status: 400,
    body: { code: 'wrong_file_kind' },
  })
  expect(await client.balance()).toBe(14)
})

test('missing uploads and internal URLs are refused without a charge', async () => {
  await openNewAccount()
  const { size: size_bytes } = await stat(clip)
  const { url } = await client.presign({ filename: 'never.mp4', content_type: 'video/mp4', size_bytes })
  const inside = [
    'http://127.0.0.1:1/a.mp4',
    'http://169.254.169.254/latest',
    'file:///etc/passwd',
    'nonsense',
  ]
  for (const file_url of [url, ...inside]) {
    await expect(run(client, 'video/compress', file_url)).rejects.toMatchObject({
      status: 400,
      body: { code: 'invalid_file_url' },
    })
  }
  expect(await client.balance()).toBe(20)
  expect((await client.ledger()).map(({ entry_type }) => entry_type)).toEqual(['daily_free'])
})
