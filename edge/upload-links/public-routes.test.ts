import { describe, expect, test } from 'vitest'
import { eventually, found, makeTestContext, publicUrl, timeOf } from '../../test/edge/worker/context.ts'
import { MP3, MP4, NO_MEDIA, PNG, TEXT, UNKNOWN_VIDEO } from '../../test/edge/worker/files.ts'
import { freshAddress, makeLimitedContext } from '../../test/edge/worker/limited-context.ts'
import {
  completeLink,
  formOf,
  makeLink,
  newCallerHeaders,
  SESSIONS,
  sendByLink,
  showSession,
} from '../../test/edge/worker/links.ts'
import { giveCredits, ledgerOf, type Person, register, submit } from '../../test/edge/worker/people.ts'
import { makeReceiver } from '../../test/edge/worker/receivers.ts'
import { query } from '../../test/edge/worker/records.ts'
import { doneOutcome, finished, report } from '../../test/edge/worker/reports.ts'

const testContext = makeTestContext()
const { call } = testContext
const REQUEST = { filename: 'clip.mp4', content_type: 'video/mp4', size_bytes: 1000 }

const usageOf = async ({ token }: Person) => {
  const events = (await call('GET', '/api/v1/me/usage?source=bridge', { token })).json
  return events.map(({ action }: { action: string }) => action)
}

describe('an opened upload link', () => {
  test('shows what may be sent and why, and nothing about its owner', async () => {
    const person = await register(testContext)
    const link = await makeLink(testContext, person, { note: 'Saturday', max_size_bytes: 5000, params: {} })
    const { status, json, text } = await call('GET', link.path)
    expect(status).toBe(200)
    expect(json).toEqual({
      status: 'pending',
      service_slug: 'video',
      operation_key: 'compress',
      title: expect.any(String),
      description: expect.any(String),
      summary: expect.any(String),
      allowed_mime_types: ['video/*'],
      max_size_bytes: 5000,
      form_size_bytes_max: 5000,
      note: 'Saturday',
      expires_at: expect.any(String),
    })
    expect(text).not.toContain(person.email)
    expect(text).not.toContain(link.id)
  })

  test('names its task in the language of the sender', async () => {
    const link = await makeLink(testContext, await register(testContext))
    const { json } = await call('GET', link.path, { headers: { 'accept-language': 'uk' } })
    expect(json.title).toBe('Стиснути відео')
    expect(json.description).toMatch(/^Зменшує розмір файлу/)
    expect(json.summary).toBe('Менший файл MP4 з вибраною якістю')
  })

  test('is closed when its owner is blocked', async () => {
    const person = await register(testContext)
    const link = await makeLink(testContext, person)
    await query(testContext, 'UPDATE accounts SET blocked_at = 1 WHERE id = ?', person.id)
    expect((await call('GET', link.path)).status).toBe(410)
    expect((await call('POST', `${link.path}/presign`, { body: REQUEST })).status).toBe(410)
  })
})

describe('a file sent by link', () => {
  test("is signed for its type and length, and becomes a job of the link's owner, who pays", async () => {
    const person = await register(testContext)
    const link = await makeLink(testContext, person)
    const begun = await call('POST', `${link.path}/presign`, { body: REQUEST })
    expect(begun.json).toMatchObject({ method: 'PUT', headers: { 'Content-Type': 'video/mp4' } })
    const signed = new URL(begun.json.put_url).searchParams
    expect(signed.get('X-Amz-SignedHeaders')).toBe('content-length;content-type;host;x-amz-copy-source')
    const key = await sendByLink(testContext, link)
    expect((await showSession(testContext, person, link)).status).toBe('uploading')
    const { status, json } = await completeLink(testContext, link, key)
    expect([status, json.status]).toEqual([201, 'processing'])
    const { job_id: shown_id } = await showSession(testContext, person, link)
    const job_id = found(shown_id)
    const job = (await call('GET', `/api/v1/jobs/${job_id}`, { token: person.token })).json
    expect(job).toMatchObject({
      source: 'bridge',
      estimated_cost: 2,
      params: { level: 'medium', file_url: `${publicUrl()}/files/${key}` },
    })
    await report(testContext, finished(job_id, doneOutcome(job_id, 61)))
    expect(await ledgerOf(testContext, person)).toMatchObject({ balance: 17, check: { ok: true } })
    expect(await usageOf(person)).toEqual(['done', 'submit', 'upload'])
  })

  test('can also be sent as a form', async () => {
    const person = await register(testContext)
    const link = await makeLink(testContext, person)
    const sent = await call('POST', `${link.path}/file`, { content: formOf(MP4) })
    expect([sent.status, sent.json.status]).toEqual([201, 'processing'])
    const { job_id: shown_id, status } = await showSession(testContext, person, link)
    const job_id = found(shown_id)
    expect([status, typeof job_id]).toEqual(['processing', 'string'])
    expect(await usageOf(person)).toEqual(['submit', 'upload'])
  })

  test("triggers the webhook of the link's owner", async () => {
    const person = await register(testContext)
    const receiver = makeReceiver()
    const open = makeTestContext({ ALLOW_PRIVATE_SOURCES: 'true' })
    const link = await makeLink(open, person, { webhook_url: receiver.url })
    await completeLink(open, link, await sendByLink(open, link))
    const { job_id: shown_id } = await showSession(open, person, link)
    const job_id = found(shown_id)
    await report(open, finished(job_id, doneOutcome(job_id, 1)))
    await open.settled()
    const [delivery] = await eventually('the webhook', async () => {
      const received = await receiver.received()
      return received.length > 0 && received
    })
    expect(JSON.parse(delivery?.body ?? '')).toMatchObject({ type: 'job.done', data: { id: job_id } })
  })

  test('is accepted once; afterwards everything but the status is 409', async () => {
    const person = await register(testContext)
    const link = await makeLink(testContext, person)
    const key = await sendByLink(testContext, link)
    expect((await completeLink(testContext, link, key)).status).toBe(201)
    const later = [
      await completeLink(testContext, link, key),
      await call('GET', link.path),
      await call('POST', `${link.path}/presign`, { body: REQUEST }),
      await call('POST', `${link.path}/file`, { content: formOf(MP4) }),
    ]
    for (const { status, json } of later) {
      expect([status, json.code]).toEqual([409, 'upload_link_used'])
    }
    expect((await call('GET', `${link.path}/status`)).json.status).toBe('processing')
    expect((await ledgerOf(testContext, person)).balance).toBe(18)
  })

  test('is accepted and charged once under concurrent requests', async () => {
    const person = await register(testContext)
    const link = await makeLink(testContext, person)
    const key = await sendByLink(testContext, link)
    const answers = await Promise.all(Array.from({ length: 6 }, () => completeLink(testContext, link, key)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409])
    await testContext.settled()
    expect((await ledgerOf(testContext, person)).balance).toBe(18)
    expect(await testContext.deps.storage.peek(key, 1)).not.toBeNull()
    expect(await query(testContext, 'SELECT id FROM jobs WHERE account_id = ?', person.id)).toHaveLength(1)
  })

  test('can be started again until one is complete; only the last one counts', async () => {
    const person = await register(testContext)
    const link = await makeLink(testContext, person)
    const [first, second] = [await sendByLink(testContext, link), await sendByLink(testContext, link)]
    const early = await completeLink(testContext, link, first)
    expect([early.status, early.code]).toEqual([409, 'upload_superseded'])
    expect((await completeLink(testContext, link, second)).status).toBe(201)
  })

  test('is 400 before it was announced or uploaded', async () => {
    const person = await register(testContext)
    const link = await makeLink(testContext, person)
    expect((await completeLink(testContext, link)).status).toBe(400)
    await call('POST', `${link.path}/presign`, { body: REQUEST })
    const empty = await completeLink(testContext, link)
    expect([empty.status, empty.code]).toEqual([400, 'file_not_uploaded'])
    expect((await showSession(testContext, person, link)).status).toBe('uploading')
  })
})

describe('a file that is not allowed', () => {
  test.each([
    [{ content_type: 'image/png' }, 415, 'file_type_not_allowed'],
    [{ content_type: 'video/webm' }, 415, 'file_type_not_allowed'],
    [{ size_bytes: 2001 }, 413, 'file_too_large'],
  ])('is refused before the upload: %j', async (announced, status, code) => {
    const person = await register(testContext)
    const link = await makeLink(testContext, person, {
      allowed_mime_types: ['video/mp4'],
      max_size_bytes: 2000,
    })
    const answer = await call('POST', `${link.path}/presign`, { body: { ...REQUEST, ...announced } })
    expect([answer.status, answer.code]).toEqual([status, code])
    expect((await showSession(testContext, person, link)).status).toBe('pending')
  })

  test.each([
    ['another kind than declared', PNG, { content_type: 'video/mp4' }, 415],
    ['audio declared as a video', MP3, { content_type: 'video/mp4' }, 415],
    ['more than declared', MP4, { size_bytes: 5 }, 413],
    ['less than declared', MP4, { size_bytes: 500 }, 400],
  ])('is detected after the upload and removed: %s', async (_name, file, announced, status) => {
    const person = await register(testContext)
    const link = await makeLink(testContext, person)
    const key = await sendByLink(testContext, link, file, announced)
    expect((await completeLink(testContext, link, key)).status).toBe(status)
    await testContext.settled()
    expect(await testContext.deps.storage.peek(key, 1)).toBeNull()
    expect(await showSession(testContext, person, link)).toMatchObject({ status: 'pending', job_id: null })
    expect((await ledgerOf(testContext, person)).balance).toBe(20)
    expect((await completeLink(testContext, link, await sendByLink(testContext, link))).status).toBe(201)
  })

  test.each(NO_MEDIA)('without media is refused, and the link stays usable: $filename', async (file) => {
    const person = await register(testContext)
    const link = await makeLink(testContext, person)
    const sent = await completeLink(testContext, link, await sendByLink(testContext, link, file))
    expect(sent.status).toBe(415)
    expect(['file_type_not_allowed', 'file_type_mismatch']).toContain(sent.code)
    const asForm = await call('POST', `${link.path}/file`, { content: formOf(file) })
    expect(asForm.status).toBe(415)
    expect(await showSession(testContext, person, link)).toMatchObject({ status: 'pending', job_id: null })
    expect((await completeLink(testContext, link, await sendByLink(testContext, link))).status).toBe(201)
  })

  test('with unrecognized first bytes is left to the fleet', async () => {
    const person = await register(testContext)
    const link = await makeLink(testContext, person)
    const key = await sendByLink(testContext, link, UNKNOWN_VIDEO)
    expect((await completeLink(testContext, link, key)).status).toBe(201)
  })

  test('because of its type is detected by its first bytes', async () => {
    const person = await register(testContext)
    const wanted = { service_slug: 'image', operation_key: 'resize', params: { width: 100 } }
    const link = await makeLink(testContext, person, { ...wanted, allowed_mime_types: ['image/jpeg'] })
    const key = await sendByLink(testContext, link, PNG, { content_type: 'image/jpeg' })
    const answer = await completeLink(testContext, link, key)
    expect([answer.status, answer.code]).toEqual([415, 'file_type_not_allowed'])
  })

  test.each([
    [PNG, 415],
    [TEXT, 415],
    [{ ...MP4, bytes: new Uint8Array(3000) }, 413],
    [{ ...PNG, content_type: 'video/mp4' }, 415],
    [{ ...MP4, bytes: new Uint8Array(0) }, 422],
  ])('is refused as a form too: %#', async (file, status) => {
    const person = await register(testContext)
    const link = await makeLink(testContext, person, { max_size_bytes: 2000 })
    const answer = await call('POST', `${link.path}/file`, { content: formOf(file) })
    expect(answer.status, answer.text).toBe(status)
    expect((await showSession(testContext, person, link)).status).toBe('pending')
  })

  test('a form without a file is 422', async () => {
    const person = await register(testContext)
    const link = await makeLink(testContext, person)
    const answer = await call('POST', `${link.path}/file`, { content: new FormData() })
    expect(answer.status).toBe(422)
  })
})

describe('the owner of a link', () => {
  test('with too few credits has a failed session, whose reason only the sender learns', async () => {
    const person = await register(testContext)
    const link = await makeLink(testContext, person)
    const key = await sendByLink(testContext, link)
    for (let spent = 0; spent < 20; spent += 2) await submit(testContext, person)
    const answer = await completeLink(testContext, link, key)
    expect(answer.json).toMatchObject({ code: 'upload_link_unpaid', detail: 'not enough credits' })
    expect(answer.status).toBe(402)
    expect(await showSession(testContext, person, link)).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/not enough credits/),
      job_id: null,
    })
    const status = (await call('GET', `${link.path}/status`)).json
    expect(status).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/problem on the link owner/),
    })
    await giveCredits(testContext, person, 10)
    expect((await completeLink(testContext, link, key)).status).toBe(409)
    await testContext.settled()
    expect(await testContext.deps.storage.peek(key, 1)).toBeNull()
  })

  test('with too many open jobs delays the file with 429; afterwards it is accepted', async () => {
    const limited = await makeLimitedContext({ in_flight_max_free: 1 })
    const person = await register(limited)
    const link = await makeLink(limited, person)
    const key = await sendByLink(limited, link)
    const job = await submit(limited, person)
    const busy = await completeLink(limited, link, key)
    expect([busy.status, busy.code]).toEqual([429, 'upload_link_busy'])
    expect(Number(busy.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await showSession(limited, person, link)).status).toBe('uploading')
    await report(limited, finished(job, doneOutcome(job, 1)))
    expect((await completeLink(limited, link, key)).status).toBe(201)
  })

  test('has a failed session when the operation is disabled concurrently', async () => {
    const person = await register(testContext)
    const link = await makeLink(testContext, person, { operation_key: 'mute', params: {} })
    const key = await sendByLink(testContext, link)
    await query(
      testContext,
      "UPDATE operations SET enabled = 0 WHERE service_slug = 'video' AND operation_key = 'mute'",
    )
    try {
      const late = await makeLimitedContext({}, {}, Date.now() + 30_000)
      expect((await completeLink(late, link, key)).status).toBe(400)
      expect(await showSession(testContext, person, link)).toMatchObject({
        status: 'failed',
        error: expect.stringMatching(/switched off/),
      })
    } finally {
      await query(
        testContext,
        "UPDATE operations SET enabled = 1 WHERE service_slug = 'video' AND operation_key = 'mute'",
      )
    }
  })
})

describe('limits', () => {
  test('each address can start a limited number of link uploads per hour', async () => {
    const limited = await makeLimitedContext({ link_uploads_per_hour_per_ip: 2 })
    const person = await register(limited)
    const headers = { 'cf-connecting-ip': freshAddress() }
    const statuses = []
    for (let count = 0; count < 3; count++) {
      const { path } = await makeLink(limited, person)
      statuses.push((await limited.call('POST', `${path}/presign`, { body: REQUEST, headers })).status)
    }
    expect(statuses).toEqual([201, 201, 429])
    const { path } = await makeLink(limited, person)
    const form = await limited.call('POST', `${path}/file`, { content: formOf(MP4), headers })
    expect(form.status).toBe(429)
    const other = await limited.call('POST', `${path}/presign`, {
      body: REQUEST,
      headers: newCallerHeaders(),
    })
    expect(other.status).toBe(201)
  })

  test('a link allows twenty attempts', async () => {
    const person = await register(testContext)
    const link = await makeLink(testContext, person)
    for (let count = 0; count < 20; count++) await call('POST', `${link.path}/presign`, { body: REQUEST })
    expect((await call('POST', `${link.path}/presign`, { body: REQUEST })).status).toBe(410)
  })

  test('a signature expires with its link', async () => {
    const person = await register(testContext)
    const link = await makeLink(testContext, person, { expires_in: 60 })
    const { json } = await call('POST', `${link.path}/presign`, { body: REQUEST })
    expect(Number(new URL(json.put_url).searchParams.get('X-Amz-Expires'))).toBeLessThanOrEqual(60)
    const session = await call('GET', `${SESSIONS}/${link.id}`, { token: person.token })
    expect(timeOf(json.expires_at)).toBeLessThanOrEqual(timeOf(session.json.expires_at))
  })
})
