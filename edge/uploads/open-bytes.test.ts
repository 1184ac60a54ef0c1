import { describe, expect, test } from 'vitest'
import type { TestContext } from '../../test/edge/worker/context.ts'
import { MP4 } from '../../test/edge/worker/files.ts'
import { freshAddress, freshBlock, makeLimitedContext } from '../../test/edge/worker/limited-context.ts'
import { completeLink, formOf, makeLink, newCallerHeaders, sendByLink } from '../../test/edge/worker/links.ts'
import { giveCredits, type Person, register, SUBMISSION, upload } from '../../test/edge/worker/people.ts'
import { doneOutcome, FAILED, finished, report } from '../../test/edge/worker/reports.ts'
import { COMPRESS } from '../../test/edge/worker/studio.ts'
import { openBytesQuery } from './queries.ts'

const GIGABYTE = 1024 ** 3
const UPLOADS = '/api/v1/uploads'
const limits = { open_upload_gb_max_free: 1, open_upload_gb_max_anonymous: 1 }
const limited = await makeLimitedContext(limits)
const { deps } = limited

const declare = (size_bytes: number) => ({ filename: 'a.mp4', content_type: 'video/mp4', size_bytes })

/** Declares an upload of almost the whole limit, which leaves room for the given number of bytes. */
async function leaveRoom({ call }: TestContext, { token }: Person, bytes: number): Promise<void> {
  const body = declare(GIGABYTE - bytes)
  expect((await call('POST', `${UPLOADS}/presign`, { token, body })).status).toBe(201)
}

const isFull = ({ call }: TestContext, { token }: Person) =>
  call('POST', `${UPLOADS}/presign`, { token, body: declare(GIGABYTE) }).then(({ code }) => code)

/** Sends a file in parts and completes it. */
async function sendParts({ call }: TestContext, { token }: Person): Promise<string> {
  const body = { ...declare(MP4.bytes.length) }
  const { key, upload_id } = (await call('POST', `${UPLOADS}/multipart/create`, { token, body })).json
  const part = await deps.env.BUCKET.resumeMultipartUpload(key, upload_id).uploadPart(1, MP4.bytes)
  const parts = [{ part_number: 1, etag: part.etag }]
  const answer = await call('POST', `${UPLOADS}/multipart/complete`, {
    token,
    body: { key, upload_id, parts },
  })
  expect(answer.status, answer.text).toBe(201)
  return answer.json.url
}

test('counts completed multipart uploads and forms until a job uses them', async () => {
  const [sender, former] = [await register(limited), await register(limited)]
  await giveCredits(limited, sender, 100)
  const url = await sendParts(limited, sender)
  expect(await isFull(limited, sender)).toBe('too_many_open_uploads')
  const body = { ...SUBMISSION, params: { file_url: url } }
  const job = await limited.call('POST', '/api/v1/jobs', { token: sender.token, body })
  expect(job.status, job.text).toBe(201)
  expect(await isFull(limited, sender)).toBeUndefined()
  const sent = await limited.call('POST', UPLOADS, { token: former.token, content: formOf(MP4) })
  expect([sent.status, await isFull(limited, former)]).toEqual([201, 'too_many_open_uploads'])
})

test('counts what is sent through upload links for their owner, whose limit the sender does not learn', async () => {
  const person = await register(limited)
  const links = await Promise.all([1, 2, 3].map(() => makeLink(limited, person)))
  const body = declare(450 * 1024 ** 2)
  const answers = []
  for (const { path } of links) {
    answers.push(await limited.call('POST', `${path}/presign`, { body, headers: newCallerHeaders() }))
  }
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 429])
  expect([answers[2]?.code, answers[2]?.text.includes('GB')]).toEqual(['upload_link_full', false])
  expect(answers[2]?.headers.get('retry-after')).toBe(String(24 * 60 * 60))
  expect(await isFull(limited, person)).toBe('too_many_open_uploads')
})

test('refuses a form through a link above the limit of the owner, and counts no file that a job uses', async () => {
  const person = await register(limited)
  await giveCredits(limited, person, 100)
  await leaveRoom(limited, person, MP4.bytes.length)
  const link = await makeLink(limited, person)
  await sendByLink(limited, link)
  expect((await completeLink(limited, link)).status).toBe(201)
  const next = await makeLink(limited, person)
  await upload(limited, person, MP4)
  const options = { content: formOf(MP4), headers: newCallerHeaders() }
  const refused = await limited.call('POST', `${next.path}/file`, options)
  expect([refused.status, refused.code]).toEqual([429, 'upload_link_full'])
})

test('counts files without an account for the network of their sender', async () => {
  const address = freshAddress()
  const from = (at: string) => ({ 'cf-connecting-ip': at, 'x-anonymous-id': crypto.randomUUID() })
  const sent = await limited.call('POST', UPLOADS, { content: formOf(MP4), headers: from(address) })
  const body = declare(GIGABYTE)
  const signed = await limited.call('POST', `${UPLOADS}/presign`, {
    body,
    headers: from(address.replace(/::1$/, '::2')),
  })
  expect([sent.status, signed.code]).toEqual([201, 'too_many_open_uploads'])
})

test('counts the bytes of all networks of an IPv6 /48 together, with 16 times the limit', async () => {
  const [last = '', ...others] = freshBlock(18)
  const from = (address: string, size_bytes: number) =>
    limited.call('POST', `${UPLOADS}/presign`, {
      body: declare(size_bytes),
      headers: { 'cf-connecting-ip': address, 'x-anonymous-id': crypto.randomUUID() },
    })
  const answers = []
  for (const address of others.slice(0, 16)) answers.push((await from(address, GIGABYTE)).status)
  expect(answers).toEqual(Array(16).fill(201))
  const refused = await from(last, 1)
  expect([refused.code, refused.text]).toEqual(['too_many_open_uploads', expect.stringContaining('16')])
  expect((await from(freshAddress(), GIGABYTE)).status).toBe(201)
})

describe('the bytes of an upload count again', () => {
  const submit = async ({ token }: Person, file_url: string) => {
    const body = { ...SUBMISSION, params: { file_url } }
    return (await limited.call('POST', '/api/v1/jobs', { token, body })).json.id
  }
  const cancel = ({ token }: Person, id: string) =>
    limited.call('POST', `/api/v1/jobs/${id}/cancel`, { token })

  async function sendUsed() {
    const person = await register(limited)
    await giveCredits(limited, person, 100)
    const { url } = await upload(limited, person, MP4)
    return { person, url, id: await submit(person, url) }
  }

  test('when its job is canceled, which costs nothing', async () => {
    const { person, id } = await sendUsed()
    expect(await isFull(limited, person)).toBeUndefined()
    const other = await sendUsed()
    expect((await cancel(other.person, other.id)).status).toBe(200)
    expect(await isFull(limited, other.person)).toBe('too_many_open_uploads')
    expect((await cancel(person, id)).status).toBe(200)
  })

  test('when its job fails, but not when it is done', async () => {
    const [failed, done] = [await sendUsed(), await sendUsed()]
    await report(limited, finished(failed.id, FAILED))
    await report(limited, finished(done.id, doneOutcome(done.id, 1)))
    expect(await isFull(limited, failed.person)).toBe('too_many_open_uploads')
    expect(await isFull(limited, done.person)).toBeUndefined()
  })

  test('when the last of its jobs is canceled', async () => {
    const { person, url, id } = await sendUsed()
    const second = await submit(person, url)
    await cancel(person, id)
    expect(await openBytesOf(person)).toBe(0)
    await cancel(person, second)
    expect(await openBytesOf(person)).toBe(MP4.bytes.length)
  })

  test('when its batch is canceled', async () => {
    const person = await register(limited)
    await giveCredits(limited, person, 100)
    const files = await Promise.all([upload(limited, person, MP4), upload(limited, person, MP4)])
    const { token } = person
    const body = { ...COMPRESS, file_urls: files.map(({ url }) => url) }
    const batch = await limited.call('POST', '/api/v1/studio/batch', { token, body })
    expect([batch.status, await openBytesOf(person)]).toEqual([201, 0])
    await limited.call('POST', `/api/v1/studio/batches/${batch.json.id}/cancel`, { token })
    expect(await openBytesOf(person)).toBe(2 * MP4.bytes.length)
  })

  async function openBytesOf({ id }: Person) {
    return (await openBytesQuery(deps.db, { accountId: id }, limited.clock.now))[0]?.bytes
  }
})
