import { expect, test } from 'vitest'
import { MP4 } from '../../test/edge/worker/files.ts'
import { makeLimitedContext } from '../../test/edge/worker/limited-context.ts'
import { giveCredits, type Person, register, SUBMISSION, upload } from '../../test/edge/worker/people.ts'
import { purgeExpired } from '../jobs/purge.ts'

const UPLOADS = '/api/v1/uploads'
const HOUR_MS = 60 * 60 * 1000
const MEGABYTES_100 = 100 * 1024 ** 2
const limits = { open_upload_gb_max_free: 1 }
type TestContext = Awaited<ReturnType<typeof makeLimitedContext>>

function presign({ call }: TestContext, { token }: Person, size_bytes: number) {
  const body = { filename: 'secret.mp4', content_type: 'video/mp4', size_bytes }
  return call('POST', `${UPLOADS}/presign`, { token, body })
}

const remove = ({ call }: TestContext, { token }: Person, key: string) =>
  call('DELETE', `${UPLOADS}/${encodeURIComponent(key)}`, { token })

test('a hundred times signed and deleted, no more is signed than the limit until the signatures expire', async () => {
  const limited = await makeLimitedContext({ ...limits, requests_per_minute_free: 1000 })
  const person = await register(limited)
  const statuses: number[] = []
  for (let round = 0; round < 100; round++) {
    const signed = await presign(limited, person, MEGABYTES_100)
    statuses.push(signed.status)
    if (signed.status === 201) expect((await remove(limited, person, signed.json.key)).status).toBe(204)
  }
  expect(statuses.filter((status) => status === 201)).toHaveLength(10)
  const refused = await presign(limited, person, MEGABYTES_100)
  expect([refused.code, refused.headers.get('retry-after')]).toEqual(['too_many_open_uploads', '21600'])
  limited.clock.now += 6 * HOUR_MS
  expect((await presign(limited, person, MEGABYTES_100)).status).toBe(201)
}, 60_000)

test('a file sent after its upload was deleted is served to nobody, and removed when the signature expires', async () => {
  const limited = await makeLimitedContext()
  const { clock, deps, call } = limited
  const { BUCKET } = deps.env
  const person = await register(limited)
  const { key, url } = await upload(limited, person, { ...MP4, filename: 'secret.mp4' })
  expect((await remove(limited, person, key)).status).toBe(204)
  await BUCKET.put(key, MP4.bytes)
  const body = { ...SUBMISSION, params: { file_url: url } }
  const download = `${UPLOADS}/download?url=${encodeURIComponent(url)}` as const
  const refused = [
    await call('GET', `/files/${key}`),
    await call('GET', download, { token: person.token }),
    await remove(limited, person, key),
    await call('POST', '/api/v1/jobs', { token: person.token, body }),
  ]
  expect(refused.map(({ code }) => code)).toEqual([
    ...['file_not_found', 'file_not_found', 'upload_not_found', 'invalid_file_url'],
  ])
  const query = 'SELECT filename FROM uploads WHERE key = ?'
  const rows = async () => (await deps.db.$client.execute({ sql: query, args: [key] })).rows
  expect(await rows()).toMatchObject([{ filename: '' }])
  clock.now += 6 * HOUR_MS + 61_000
  await purgeExpired(deps)
  expect([await BUCKET.head(key), await rows()]).toEqual([null, []])
})

test('an upload that a job has used is deleted at once, with a later look for files that still arrive', async () => {
  const limited = await makeLimitedContext()
  const { deps, call } = limited
  const person = await register(limited)
  await giveCredits(limited, person, 100)
  const { key, url } = await upload(limited, person, MP4)
  const body = { ...SUBMISSION, params: { file_url: url } }
  const { id } = (await call('POST', '/api/v1/jobs', { token: person.token, body })).json
  const client = deps.db.$client
  await client.execute({ sql: "UPDATE jobs SET status = 'done' WHERE id = ?", args: [id] })
  expect((await remove(limited, person, key)).status).toBe(204)
  const uploads = await client.execute({ sql: 'SELECT 1 FROM uploads WHERE key = ?', args: [key] })
  const late = await client.execute({ sql: 'SELECT 1 FROM outbox WHERE id = ?', args: [`purge:late:${key}`] })
  expect([uploads.rows.length, late.rows.length]).toEqual([0, 1])
})

test('deleting uploads in parts frees their bytes at once, because their signatures no longer work', async () => {
  const limited = await makeLimitedContext(limits)
  const person = await register(limited)
  const body = { filename: 'a.mp4', content_type: 'video/mp4', size_bytes: 1024 ** 3 }
  for (let round = 0; round < 3; round++) {
    const { token } = person
    const started = await limited.call('POST', `${UPLOADS}/multipart/create`, { token, body })
    expect(started.status, started.text).toBe(201)
    expect((await remove(limited, person, started.json.key)).status).toBe(204)
  }
})
