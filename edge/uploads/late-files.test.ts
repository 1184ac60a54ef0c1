import { beforeEach, expect, test } from 'vitest'
import { found, makeTestContext } from '../../test/edge/worker/context.ts'
import { MP4 } from '../../test/edge/worker/files.ts'
import { makeLimitedContext } from '../../test/edge/worker/limited-context.ts'
import { register, SUBMISSION, upload } from '../../test/edge/worker/people.ts'
import { purgeExpired } from '../jobs/purge.ts'
import { resendEffects } from '../platform/outbox/send.ts'
import { abortUnusedUploads } from './abort-unused.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** How long a PUT is signed. */
const SIGNED_MS = 6 * 60 * 60 * 1000
const PARTS = '/api/v1/uploads/multipart/create'

/** Tasks that run a day later would also do the work that other files of this database have left. */
beforeEach(async () => {
  const { $client } = makeTestContext().deps.db
  await $client.batch(['DELETE FROM outbox', 'DELETE FROM part_uploads'], 'write')
})

test('a file that arrives with an old signature after its account was deleted does not stay', async () => {
  const limited = await makeLimitedContext()
  const { clock, deps, call } = limited
  const { BUCKET } = deps.env
  const person = await register(limited)
  const { key } = await upload(limited, person, MP4)
  const body = { confirm: person.email, current_password: person.password }
  expect((await call('DELETE', '/api/v1/auth/me', { token: person.token, body })).status).toBe(200)
  clock.now += 120_000
  await purgeExpired(deps)
  expect(await BUCKET.head(key)).toBeNull()
  await BUCKET.put(key, MP4.bytes)
  expect((await call('GET', `/files/${key}`)).status).toBe(404)
  await resendEffects(deps)
  expect(await BUCKET.head(key)).not.toBeNull()
  clock.now += SIGNED_MS
  await purgeExpired(deps)
  expect(await BUCKET.head(key)).toBeNull()
  // A slow transfer that began before the signature expired.
  await BUCKET.put(key, MP4.bytes)
  clock.now += DAY_MS
  await resendEffects(deps)
  expect(await BUCKET.head(key)).toBeNull()
})

test('an upload that its client completes in parts after its account was deleted does not stay', async () => {
  const limited = await makeLimitedContext()
  const { clock, deps, call } = limited
  const { BUCKET } = deps.env
  const person = await register(limited)
  const request = { filename: 'a.mp4', content_type: 'video/mp4', size_bytes: MP4.bytes.length }
  const { key, upload_id } = (await call('POST', PARTS, { token: person.token, body: request })).json
  const body = { confirm: person.email, current_password: person.password }
  expect((await call('DELETE', '/api/v1/auth/me', { token: person.token, body })).status).toBe(200)
  clock.now += 120_000
  await purgeExpired(deps)
  const late = BUCKET.resumeMultipartUpload(key, upload_id)
  await late.complete([await late.uploadPart(1, MP4.bytes)])
  clock.now += DAY_MS
  await abortUnusedUploads(deps)
  expect(await BUCKET.head(key)).toBeNull()
})

test('a file that is replaced after its check is not the one that jobs read', async () => {
  const testContext = makeTestContext()
  const { call, deps } = testContext
  const { token } = await register(testContext)
  const { key, url } = await upload(testContext, { token } as never, MP4)
  const etag = found(await deps.env.BUCKET.head(key)).httpEtag
  const submit = async () => {
    const body = { ...SUBMISSION, params: { file_url: url } }
    const { id } = (await call('POST', '/api/v1/jobs', { token, body })).json
    const sql = `SELECT dispatch ->> '$.source.etag' AS etag FROM jobs WHERE id = ?`
    return (await deps.db.$client.execute({ sql, args: [id] })).rows[0]?.etag
  }
  expect(await submit()).toBe(etag)
  await testContext.settled()
  await deps.env.BUCKET.put(key, Uint8Array.from([...MP4.bytes].reverse()))
  expect(await submit()).toBe(etag)
})
