import { beforeAll, describe, expect, test } from 'vitest'
import { MP3, MP4, PNG, TEXT } from '../../test/edge/worker/files.ts'
import {
  giveCredits,
  ledgerOf,
  makeKey,
  type Person,
  register,
  SUBMISSION,
  submit,
  upload,
} from '../../test/edge/worker/people.ts'
import { doneOutcome, finished, report } from '../../test/edge/worker/reports.ts'
import { makeWorld, publicUrl } from '../../test/edge/worker/world.ts'

const world = makeWorld()
const { call } = world

describe('submitting', () => {
  test.each(['/api/v1/jobs', '/api/v1/jobs/api'])('by %s takes the base and queues the job', async (path) => {
    const person = await register(world)
    const answer = await call('POST', path, { token: person.token, body: SUBMISSION })
    expect(answer.status).toBe(201)
    expect(answer.json).toMatchObject({
      ...SUBMISSION,
      status: 'queued',
      progress: 0,
      source: 'web',
      estimated_cost: 2,
      final_cost: null,
      result: null,
      error: null,
    })
    const { entries, check } = await ledgerOf(world, person)
    expect(check).toEqual({ ok: true, balance: 18, ledger_sum: 18, grants_sum: 18 })
    expect(entries[0]).toMatchObject({
      entry_type: 'debit',
      amount: -2,
      job_id: answer.json.id,
      taken_from: [{ grant: 1, entry_type: 'daily_free', amount: -2 }],
    })
  })

  test('with an API key counts for the key', async () => {
    const person = await register(world)
    const { key } = await makeKey(world, person)
    const answer = await call('POST', '/api/v1/jobs/api', { key, body: SUBMISSION })
    expect([answer.status, answer.json.source]).toEqual([201, 'api'])
    expect((await call('GET', '/api/v1/tokens', { token: person.token })).json[0].used_today).toBe(1)
  })

  test("takes an upload of one's own", async () => {
    const person = await register(world)
    const { url } = await upload(world, person, MP4)
    const body = { ...SUBMISSION, params: { file_url: url } }
    expect((await call('POST', '/api/v1/jobs', { token: person.token, body })).status).toBe(201)
  })

  test('without enough credits is 402, and writes nothing', async () => {
    const person = await register(world)
    for (let count = 0; count < 10; count++) await submit(world, person)
    const before = await ledgerOf(world, person)
    const answer = await call('POST', '/api/v1/jobs', { token: person.token, body: SUBMISSION })
    expect([answer.status, answer.json.detail]).toEqual([402, 'not enough credits'])
    expect(await ledgerOf(world, person)).toEqual(before)
    expect((await call('GET', '/api/v1/jobs', { token: person.token })).json).toHaveLength(10)
  })
})

describe('200 submits at once against a balance for 50', () => {
  test('accept exactly 50', { timeout: 60_000 }, async () => {
    const person = await register(world)
    await giveCredits(world, person, 80)
    const answers = await Promise.all(
      Array.from({ length: 200 }, () =>
        call('POST', '/api/v1/jobs', { token: person.token, body: SUBMISSION }),
      ),
    )
    const count = (status: number) => answers.filter((answer) => answer.status === status).length
    expect([count(201), count(402)]).toEqual([50, 150])
    const { check, entries } = await ledgerOf(world, person)
    expect(check).toEqual({ ok: true, balance: 0, ledger_sum: 0, grants_sum: 0 })
    expect(entries).toHaveLength(52)
  })
})

describe('a submit that is refused', () => {
  let person: Person
  let stranger: Person
  beforeAll(async () => {
    person = await register(world)
    stranger = await register(world)
  })

  async function expectRefusal(body: unknown, status: number, detail: RegExp): Promise<void> {
    const before = await ledgerOf(world, person)
    const answer = await call('POST', '/api/v1/jobs', { token: person.token, body })
    expect([answer.status, typeof answer.json.detail]).toEqual([status, 'string'])
    expect(answer.json.detail).toMatch(detail)
    expect(await ledgerOf(world, person)).toEqual(before)
    expect((await call('GET', '/api/v1/jobs', { token: person.token })).json).toEqual([])
  }

  const withParams = (params: object, operation_key = 'compress', service_slug = 'video') => ({
    service_slug,
    operation_key,
    params: { ...SUBMISSION.params, ...params },
  })

  test.each([
    ['an unknown service', withParams({}, 'compress', 'audio'), 404, /^unknown service/],
    ['an unknown operation', withParams({}, 'explode'), 400, /^unknown operation/],
    ['a name that every object has', withParams({}, 'constructor'), 400, /^unknown operation/],
    ['an operation of the other service', withParams({}, 'thumbnail', 'image'), 400, /^unknown operation/],
    ['a parameter out of bounds', withParams({ crf: 52 }), 400, /^crf: .*refunded in full/],
    ['a parameter of another type', withParams({ crf: 'many' }), 400, /^crf: .*refunded in full/],
    [
      'a parameter that is deep',
      withParams({ crf: JSON.parse('['.repeat(20) + ']'.repeat(20)) }),
      400,
      /^crf: /,
    ],
    ['an unknown parameter', withParams({ colour: 'red' }), 400, /^colour: .*refunded in full/],
    ['a long unknown parameter', withParams({ ['x'.repeat(64)]: 1 }), 400, /refunded in full/],
    ['no file', { ...SUBMISSION, params: {} }, 400, /^invalid file URL/],
    ['no params', { service_slug: 'video', operation_key: 'compress' }, 400, /^invalid file URL/],
    ['a number for a file', withParams({ file_url: 7 }), 400, /^invalid file URL/],
    ['an empty address', withParams({ file_url: '' }), 400, /^invalid file URL/],
    ['a private address', withParams({ file_url: 'http://169.254.169.254/x' }), 400, /^invalid file URL/],
    ['a file of this machine', withParams({ file_url: 'file:///etc/passwd' }), 400, /^invalid file URL/],
    ['params too large', withParams({ filename: 'x'.repeat(70_000) }), 400, /^params: /],
    [
      'an address too long',
      withParams({ file_url: `https://media.example.org/${'x'.repeat(5000)}` }),
      400,
      /^invalid file URL/,
    ],
  ])('with %s', (_name, body, status, detail) => expectRefusal(body, status, detail))

  test.each([
    ['an upload that is not there', `/files/uploads/${crypto.randomUUID()}/a.mp4`],
    ['a result of no job', `/files/results/${crypto.randomUUID()}/1001/a.mp4`],
    ['a path that climbs', '/files/uploads/../../secret'],
    ['another place of ours', '/files/'],
  ])('with %s', (_name, path) =>
    expectRefusal(withParams({ file_url: publicUrl() + path }), 400, /^invalid file URL/),
  )

  test("with an upload of somebody else's, or of nobody's", async () => {
    for (const owner of [stranger, null]) {
      const { url } = await upload(world, owner, MP4)
      await expectRefusal(withParams({ file_url: url }), 400, /^invalid file URL/)
    }
  })

  test("with a result of somebody else's", async () => {
    const id = await submit(world, stranger)
    await report(world, finished(id, doneOutcome(id, 1)))
    const url = `${publicUrl()}/files/results/${id}/1001/clip.mp4`
    await expectRefusal(withParams({ file_url: url }), 400, /^invalid file URL/)
    const own = await call('POST', '/api/v1/jobs', {
      token: stranger.token,
      body: withParams({ file_url: url }),
    })
    expect(own.status).toBe(201)
  })

  test('before the upload has arrived, or after it expired', async () => {
    const size = { filename: 'a.mp4', content_type: 'video/mp4', size_bytes: 5 }
    const { json } = await call('POST', '/api/v1/uploads/presign', { token: person.token, body: size })
    await expectRefusal(withParams({ file_url: json.url }), 400, /nothing has been uploaded/)
    const { url, key } = await upload(world, person, MP4)
    await world.deps.db.$client.execute({
      sql: 'UPDATE uploads SET expires_at = 1 WHERE key = ?',
      args: [key],
    })
    await expectRefusal(withParams({ file_url: url }), 400, /expired/)
  })

  test.each([
    ['video', 'compress', PNG, /takes a video.* this is an image/],
    ['video', 'compress', MP3, /takes a video.* this is an audio file/],
    ['image', 'resize', MP4, /takes an image.* this is a video/],
    ['image', 'convert', MP3, /takes an image.* this is an audio file/],
  ])('by %s/%s for the wrong kind of file, naming both', async (service, operation, file, detail) => {
    const { url } = await upload(world, person, file)
    const params = operation === 'resize' ? { width: 100 } : operation === 'convert' ? { format: 'webp' } : {}
    const body = { service_slug: service, operation_key: operation, params: { ...params, file_url: url } }
    await expectRefusal(body, 400, detail)
  })

  test('by an operation that is switched off', async () => {
    const set = (enabled: number) =>
      world.deps.db.$client.execute({
        sql: "UPDATE operations SET enabled = ? WHERE service_slug = 'video' AND operation_key = 'thumbnail'",
        args: [enabled],
      })
    await set(0)
    try {
      const fresh = makeWorld()
      const answer = await fresh.call('POST', '/api/v1/jobs', {
        token: person.token,
        body: withParams({}, 'thumbnail'),
      })
      expect([answer.status, answer.json.detail]).toEqual([
        400,
        'video/thumbnail is switched off on this server',
      ])
    } finally {
      await set(1)
    }
  })

  test('while 20 others with bad files run, nothing is left unhandled', async () => {
    const body = withParams({ file_url: `${publicUrl()}/files/uploads/none/a.mp4` })
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => call('POST', '/api/v1/jobs', { token: person.token, body })),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(400))
  })
})

test('a file that tells nothing by its first bytes is left to the fleet to judge', async () => {
  const person = await register(world)
  const { url } = await upload(world, person, TEXT)
  const body = { ...SUBMISSION, params: { file_url: url } }
  expect((await call('POST', '/api/v1/jobs', { token: person.token, body })).status).toBe(201)
})

describe('reading jobs', () => {
  test('shows one, and all of them newest first, page by page', async () => {
    const person = await register(world)
    const ids = [await submit(world, person), await submit(world, person), await submit(world, person)]
    const one = await call('GET', `/api/v1/jobs/${ids[0]}`, { token: person.token })
    expect([one.status, one.json.id]).toEqual([200, ids[0]])
    const shown = async (query: string) =>
      (await call('GET', `/api/v1/jobs${query}`, { token: person.token })).json.map(
        ({ id }: { id: string }) => id,
      )
    expect([...(await shown(''))].sort()).toEqual([...ids].sort())
    expect([...(await shown('?limit=2')), ...(await shown('?limit=2&offset=2'))]).toEqual(
      await shown('?mine=true'),
    )
    expect(await shown('?offset=1000000000')).toEqual([])
  })

  test.each([
    ['limit=0', 'limit'],
    ['limit=201', 'limit'],
    ['limit=x', 'limit'],
    ['limit=1.5', 'limit'],
    ['limit=1&limit=2', 'limit'],
    ['offset=-1', 'offset'],
    ['offset=1e400', 'offset'],
    ['mine=perhaps', 'mine'],
  ])('refuses ?%s', async (query, field) => {
    const { token } = await register(world)
    const answer = await call('GET', `/api/v1/jobs?${query}`, { token })
    expect([answer.status, answer.json.detail[0].loc]).toEqual([422, ['query', field]])
  })

  test("knows nothing of somebody else's job, nor of one that isn't there", async () => {
    const owner = await register(world)
    const id = await submit(world, owner)
    const before = await ledgerOf(world, owner)
    const { token } = await register(world)
    for (const other of [id, crypto.randomUUID(), 'x', '%F0%9F%92%B3', "'%20OR%201=1"]) {
      const shown = await call('GET', `/api/v1/jobs/${other}`, { token })
      const canceled = await call('POST', `/api/v1/jobs/${other}/cancel`, { token })
      expect([shown.status, canceled.status, shown.json.detail]).toEqual([404, 404, 'unknown job'])
    }
    expect(await ledgerOf(world, owner)).toEqual(before)
    expect((await call('GET', '/api/v1/jobs', { token })).json).toEqual([])
  })

  test("an administrator sees everyone's, and only their own with mine=true", async () => {
    const id = await submit(world, await register(world))
    const email = `${crypto.randomUUID()}@example.com`
    const administered = makeWorld({ ADMIN_EMAILS: email })
    const body = { email, password: 'correct horse battery' }
    const token = (await administered.call('POST', '/api/v1/auth/register', { body })).json.access_token
    expect((await call('GET', `/api/v1/jobs/${id}`, { token })).status).toBe(200)
    expect((await call('GET', '/api/v1/jobs?limit=1', { token })).json).toHaveLength(1)
    expect((await call('GET', '/api/v1/jobs?mine=1', { token })).json).toEqual([])
  })
})
