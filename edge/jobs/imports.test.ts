import { parse } from 'content-disposition'
import { describe, expect, test } from 'vitest'
import { makeTestContext } from '../../test/edge/worker/context.ts'
import { register, submit } from '../../test/edge/worker/people.ts'
import { doneOutcome, finished, report } from '../../test/edge/worker/reports.ts'

const testContext = makeTestContext()
const { call, deps } = testContext

const RESIZE = { service_slug: 'image', operation_key: 'resize' }

async function dispatchOf(id: string) {
  const { rows } = await deps.db.$client.execute({
    sql: 'SELECT dispatch FROM jobs WHERE id = ?',
    args: [id],
  })
  return JSON.parse(String(rows[0]?.dispatch))
}

describe('the name of a file that is imported by URL', () => {
  test.each([
    ['%D1%84%D0%BE%D1%82%D0%BE%20(1).png', 'фото (1).png'],
    ['фото (1).png?size=2', 'фото (1).png'],
    ['album%2F..%5Cbeach%00.png', 'beach.png'],
    ['%E9t%E9.png', 'été.png'],
    ['', 'file'],
  ])('is read from the path /%s', async (path, filename) => {
    const { token } = await register(testContext)
    const file_url = `https://cdn.example.org/${path}`
    const body = { ...RESIZE, params: { file_url, width: 20 } }
    const { status, json, text } = await call('POST', '/api/v1/jobs', { token, body })
    expect(status, text).toBe(201)
    expect(json.params).toEqual(body.params)
    const dispatch = await dispatchOf(json.id)
    expect([dispatch.filename, dispatch.is_named]).toEqual([filename, undefined])
  })

  test('is that of the caller if there is one, also when the job is repeated', async () => {
    const { token } = await register(testContext)
    const files = [
      { url: 'https://cdn.example.org/1.png', filename: 'mine' },
      { url: 'https://cdn.example.org/2.png' },
    ]
    const body = { ...RESIZE, params: { width: 20 }, files }
    const batch = await call('POST', '/api/v1/studio/batch', { token, body })
    expect(batch.status, batch.text).toBe(201)
    const again = await call('POST', `/api/v1/studio/batches/${batch.json.id}/repeat`, { token })
    const jobs: { id: string }[] = [...batch.json.jobs, ...again.json.jobs]
    const dispatches = await Promise.all(jobs.map(({ id }) => dispatchOf(id)))
    expect(dispatches.map(({ filename, is_named }) => [filename, is_named])).toEqual([
      ['mine', true],
      ['2.png', undefined],
      ['mine', true],
      ['2.png', undefined],
    ])
  })

  test('is in the header of the download', async () => {
    const id = await submit(testContext, await register(testContext))
    const key = `results/${id}/1001/фото (1)-resize.png`
    const done = doneOutcome(id, 1)
    if (done.status !== 'done') throw new Error('the outcome is not that of a job that is done')
    const files = done.files.map((file) => ({ ...file, key }))
    await report(testContext, finished(id, { ...done, files }))
    await deps.storage.put(key, new Blob(['x']), 'image/png')
    const path = key.split('/').map(encodeURIComponent).join('/')
    const { status, headers } = await call('GET', `/files/${path}`)
    expect(status).toBe(200)
    const disposition = headers.get('content-disposition') ?? ''
    expect(parse(disposition).parameters.filename).toBe('фото (1)-resize.png')
    // RFC 8187 allows no parentheses.
    expect(disposition).toContain("filename*=UTF-8''%D1%84%D0%BE%D1%82%D0%BE%20%281%29-resize.png")
  })
})
