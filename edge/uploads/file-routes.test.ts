import { describe, expect, test } from 'vitest'
import { makeTestContext, publicUrl, type TestContext } from '../../test/edge/worker/context.ts'
import { MP4 } from '../../test/edge/worker/files.ts'
import { makeLimitedContext } from '../../test/edge/worker/limited-context.ts'
import { fileUrl, type Person, register, SUBMISSION, submit, upload } from '../../test/edge/worker/people.ts'
import { doneOutcome, finished, report } from '../../test/edge/worker/reports.ts'

const testContext = makeTestContext()
const { call } = testContext
const BYTES = Uint8Array.from({ length: 100 }, (_, index) => index)

describe('an expired file', () => {
  const DAY_MS = 24 * 60 * 60 * 1000

  /** Returns the statuses of every way to read a file: GET and HEAD of its URL, and its download as an attachment. */
  async function statusesOf({ open }: TestContext, { token }: Person, url: string): Promise<number[]> {
    const path = url.slice(publicUrl().length)
    const attached = `/api/v1/uploads/download?url=${encodeURIComponent(url)}`
    const answers = [open('GET', path), open('HEAD', path), open('GET', attached, { token })]
    return Promise.all(
      answers.map(async (answer) => {
        const { body, status } = await answer
        await body?.cancel()
        return status
      }),
    )
  }

  test('is refused by every route on time, even while storage still has it', async () => {
    const limited = await makeLimitedContext()
    const { clock, deps } = limited
    const person = await register(limited)
    const sent = await upload(limited, person, MP4)
    clock.now += 1000
    const id = await submit(limited, person)
    await report(limited, finished(id, doneOutcome(id, 1)))
    const key = `results/${id}/1001/clip.mp4`
    await deps.storage.put(key, new Blob(['bytes']), 'video/mp4')
    const statuses = async () => [
      await statusesOf(limited, person, sent.url),
      await statusesOf(limited, person, fileUrl(key)),
    ]
    const [open, over] = [Array(3).fill(200), Array(3).fill(404)]
    clock.now += DAY_MS - 1001
    expect(await statuses()).toEqual([open, open])
    clock.now += 1
    expect(await statuses()).toEqual([over, open])
    clock.now += 1000
    expect(await statuses()).toEqual([over, over])
    for (const kept of [sent.key, key]) expect(await deps.env.BUCKET.head(kept)).not.toBeNull()
    const { code } = await limited.call('GET', `/files/${key}`)
    expect(code).toBe('file_not_found')
  })

  test('is served for as long as it was promised to a job', async () => {
    const limited = await makeLimitedContext()
    const person = await register(limited)
    const { url } = await upload(limited, person, MP4)
    limited.clock.now += DAY_MS - 1
    const body = { ...SUBMISSION, params: { file_url: url } }
    expect((await limited.call('POST', '/api/v1/jobs', { token: person.token, body })).status).toBe(201)
    limited.clock.now += 60 * 60 * 1000
    expect(await statusesOf(limited, person, url)).toEqual([200, 200, 200])
  })

  test('is not served when a later attempt superseded it', async () => {
    const person = await register(testContext)
    const id = await submit(testContext, person)
    const left = `results/${id}/1000/clip.mp4`
    await testContext.deps.storage.put(left, new Blob(['bytes']), 'video/mp4')
    expect(await statusesOf(testContext, person, fileUrl(left))).toEqual([404, 404, 404])
    await report(testContext, finished(id, doneOutcome(id, 1)))
    expect(await statusesOf(testContext, person, fileUrl(left))).toEqual([404, 404, 404])
  })
})

describe('the URL of a file', () => {
  test('is sufficient to read it, and its content cannot run scripts on this site', async () => {
    const { url, key } = await upload(testContext, null, { ...MP4, bytes: BYTES })
    const answer = await call('GET', url.slice(publicUrl().length))
    expect(answer.status).toBe(200)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'video/mp4',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
      'cache-control': 'private, no-store',
    })
    const head = await call('HEAD', `/files/${key}`)
    expect([head.status, head.text]).toEqual([200, ''])
  })

  test("is served with the service's own headers, whatever headers were stored", async () => {
    const { url, key } = await upload(testContext, null, MP4)
    const stored = {
      contentType: 'video/mp4',
      cacheControl: 'public, max-age=99',
      contentDisposition: 'inline; filename=x.html',
      contentEncoding: 'gzip',
    }
    await testContext.deps.env.BUCKET.put(key, BYTES, { httpMetadata: stored })
    const { headers } = await call('GET', url.slice(publicUrl().length))
    expect(headers.get('cache-control')).toBe('private, no-store')
    expect(headers.get('content-disposition')).toMatch(/clip\.mp4/)
    expect(headers.get('content-encoding')).toBeNull()
  })

  test.each([
    '/files/',
    '/files/uploads',
    '/files/uploads/none/a.mp4',
    '/files/secrets/a',
    '/files/%2e%2e%2f%2e%2e%2fetc%2fpasswd',
    '/files/%zz',
    '/files/uploads/%ED%A0%80',
    '/files/uploads/%00',
    `/files/uploads/${'x'.repeat(2000)}`,
    '/files/uploads//',
  ])('%s is 404', async (path) => {
    const answer = await call('GET', path)
    expect([answer.status, answer.headers.has('x-request-id')]).toEqual([404, true])
  })
})
