import { expect, test } from 'vitest'
import type { TestContext } from '../../test/edge/worker/context.ts'
import { MP4 } from '../../test/edge/worker/files.ts'
import { freshAddress, makeLimitedContext } from '../../test/edge/worker/limited-context.ts'
import { completeLink, formOf, makeLink, newCallerHeaders, sendByLink } from '../../test/edge/worker/links.ts'
import { giveCredits, type Person, register, SUBMISSION, upload } from '../../test/edge/worker/people.ts'

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

test('of concurrent forms, those beyond the limit are refused and removed', async () => {
  const person = await register(limited)
  await leaveRoom(limited, person, MP4.bytes.length * 2)
  const send = () => limited.call('POST', UPLOADS, { token: person.token, content: formOf(MP4) })
  const answers = await Promise.all([send(), send(), send(), send()])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 429, 429])
  await limited.settled()
  const rows = await deps.db.$client.execute({
    sql: 'SELECT key FROM uploads WHERE account_id = ? AND kind IS NOT NULL',
    args: [person.id],
  })
  expect(rows.rows).toHaveLength(2)
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
