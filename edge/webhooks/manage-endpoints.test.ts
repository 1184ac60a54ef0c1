import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { makeTestContext } from '../../test/edge/worker/context.ts'
import { makeKey, register } from '../../test/edge/worker/people.ts'
import { makeReceiver } from '../../test/edge/worker/receivers.ts'
import { ENDPOINTS, received, webhookDesk } from '../../test/edge/worker/webhooks.ts'
import { judgeWebhookAddress } from './address.ts'

/** Allows private addresses, because the receivers run locally. */
const testContext = makeTestContext({ ALLOW_PRIVATE_SOURCES: 'true' })
const { call } = testContext
const { change, makeEndpoint, endJob } = webhookDesk(testContext)

describe('managing endpoints', () => {
  test('needs a session for changes and secrets, and a key suffices for reading', async () => {
    const person = await register(testContext)
    const { key } = await makeKey(testContext, person)
    const { secret, ...endpoint } = await makeEndpoint(person, 'http://127.0.0.1:9/', { description: 'CI' })
    expect((await call('GET', ENDPOINTS, { key })).json).toEqual([endpoint])
    expect((await call('GET', `${ENDPOINTS}/${endpoint.id}`, { key })).json).toEqual(endpoint)
    const refused = [
      ['POST', ENDPOINTS],
      ['PATCH', `${ENDPOINTS}/${endpoint.id}`],
      ['DELETE', `${ENDPOINTS}/${endpoint.id}`],
      ['GET', `${ENDPOINTS}/${endpoint.id}/secret`],
      ['POST', `${ENDPOINTS}/${endpoint.id}/secret`],
    ] as const
    for (const [method, path] of refused) expect((await call(method, path, { key })).status, path).toBe(401)
    const { token } = person
    expect((await call('GET', `${ENDPOINTS}/${endpoint.id}/secret`, { token })).json.secret).toBe(secret)
  })

  test('is not possible for other accounts', async () => {
    const { id } = await makeEndpoint(await register(testContext), 'http://127.0.0.1:9/')
    const { token } = await register(testContext)
    expect((await call('GET', ENDPOINTS, { token })).json).toEqual([])
    const refused = [
      ['GET', `${ENDPOINTS}/${id}`],
      ['PATCH', `${ENDPOINTS}/${id}`],
      ['DELETE', `${ENDPOINTS}/${id}`],
      ['GET', `${ENDPOINTS}/${id}/secret`],
      ['POST', `${ENDPOINTS}/${id}/secret`],
      ['POST', `${ENDPOINTS}/${id}/test`],
    ] as const
    for (const [method, path] of refused) {
      const answer = await call(method, path, { token, ...(method === 'PATCH' ? { body: {} } : {}) })
      expect([answer.status, answer.code], path).toEqual([404, 'webhook_endpoint_not_found'])
    }
  })

  test('stops at 10 endpoints, also if they are created concurrently', async () => {
    const { token } = await register(testContext)
    const body = { url: 'http://127.0.0.1:9/', events: ['job.done'] }
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => call('POST', ENDPOINTS, { token, body })),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([...Array(10).fill(201), 409, 409])
    expect(answers.find(({ status }) => status === 409)?.code).toBe('too_many_webhook_endpoints')
    expect((await call('GET', ENDPOINTS, { token })).json).toHaveLength(10)
  })

  test('creates one endpoint per Idempotency-Key and removes duplicate events', async () => {
    const { token } = await register(testContext)
    const body = { url: 'http://127.0.0.1:9/', events: ['job.done', 'job.done'] }
    const create = () => call('POST', ENDPOINTS, { token, body, headers: { 'idempotency-key': 'one' } })
    const [first, again] = [await create(), await create()]
    expect(again.json).toEqual(first.json)
    expect(first.json).toMatchObject({ events: ['job.done'], description: null, enabled: true })
    expect((await call('GET', ENDPOINTS, { token })).json).toHaveLength(1)
  })

  test('rotates the secret; the previous one signs for a day', async () => {
    const person = await register(testContext)
    const { token } = person
    const receiver = makeReceiver()
    const { id, secret } = await makeEndpoint(person, receiver.url)
    const options = { token, headers: { 'idempotency-key': 'rotate' } }
    const rotate = async () => (await call('POST', `${ENDPOINTS}/${id}/secret`, options)).json
    const rotated = await rotate()
    expect([await rotate(), rotated.secret === secret]).toEqual([rotated, false])
    const verifies = async (index: number, one: string) => {
      const sent = (await received(receiver, index + 1))[index]
      try {
        return new Webhook(one).verify(sent?.body ?? '', sent?.headers ?? {}) !== null
      } catch {
        return false
      }
    }
    await endJob(person)
    expect([await verifies(0, secret), await verifies(0, rotated.secret)]).toEqual([true, true])
    await change('UPDATE webhook_endpoints SET secret_created_at = 0 WHERE id = ?', id)
    await endJob(person)
    expect([await verifies(1, secret), await verifies(1, rotated.secret)]).toEqual([false, true])
  })

  describe('without encryption', () => {
    const address = { url: 'http://hooks.example.org/a', events: ['*'] }

    test('is refused in a deployment', async () => {
      const deployed = makeTestContext({ ALLOW_HTTP_WEBHOOKS: 'false' })
      const { token } = await register(deployed)
      const created = await deployed.call('POST', ENDPOINTS, { token, body: address })
      expect([created.status, created.faults[0]?.type]).toEqual([422, 'unencrypted_webhook_url'])
      const body = { service_slug: 'video', operation_key: 'mute', webhook_url: address.url }
      const submitted = await deployed.call('POST', '/api/v1/jobs', { token, body })
      expect(submitted.faults).toMatchObject([
        { loc: ['body', 'webhook_url'], type: 'unencrypted_webhook_url' },
      ])
      expect(await judgeWebhookAddress(deployed.deps, address.url)).toBe('unencrypted')
    })

    test('is accepted where the deployment allows it', async () => {
      const allowing = makeTestContext({ ALLOW_HTTP_WEBHOOKS: 'true' })
      const { token } = await register(allowing)
      expect((await allowing.call('POST', ENDPOINTS, { token, body: address })).status).toBe(201)
    })
  })

  const strict = makeTestContext()

  test.each([
    [{ url: 'http://127.0.0.1/' }, 'url', 'unsafe_webhook_url'],
    [{ url: 'http://169.254.169.254/latest/meta-data' }, 'url', 'unsafe_webhook_url'],
    [{ url: 'https://private.example.org/hook' }, 'url', 'unsafe_webhook_url'],
    [{ url: 'https://nowhere.example.org/hook' }, 'url', 'unresolvable_webhook_host'],
    [{ url: 'ftp://hooks.example.org/' }, 'url', 'invalid_format'],
    [{ url: `https://hooks.example.org/${'x'.repeat(2100)}` }, 'url', 'too_big'],
    [{ url: null }, 'url', 'invalid_type'],
    [{ events: [] }, 'events', 'too_small'],
    [{ events: 'job.done' }, 'events', 'invalid_type'],
    [{ events: ['test'] }, 'events', 'invalid_value'],
    [{ events: Array(100).fill('*') }, 'events', 'too_big'],
    [{ description: '' }, 'description', 'too_small'],
    [{ description: 'a\u202eb' }, 'description', 'invalid_format'],
    [{ description: 'x'.repeat(201) }, 'description', 'too_big'],
    [{ enabled: 'yes' }, 'enabled', 'invalid_type'],
    [{ secret: 'whsec_1' }, 'secret', 'unknown_field'],
  ])('refuses %j in a creation and in a change', async (wrong, field, type) => {
    const { token } = await register(strict)
    const valid = { url: 'https://hooks.example.org/a', events: ['*'] }
    const { id } = (await strict.call('POST', ENDPOINTS, { token, body: valid })).json
    const answers = [
      await strict.call('POST', ENDPOINTS, { token, body: { ...valid, ...wrong } }),
      await strict.call('PATCH', `${ENDPOINTS}/${id}`, { token, body: wrong }),
    ]
    for (const { status, faults } of answers) {
      expect([status, faults[0]?.loc.slice(0, 2), faults[0]?.type]).toEqual([422, ['body', field], type])
    }
    expect((await strict.call('GET', ENDPOINTS, { token })).json).toMatchObject([valid])
  })

  test('does not send to an endpoint whose host has become private', async () => {
    const person = await register(strict)
    const receiver = makeReceiver()
    const valid = { url: 'https://hooks.example.org/a', events: ['*'] }
    const { id } = (await strict.call('POST', ENDPOINTS, { token: person.token, body: valid })).json
    await change('UPDATE webhook_endpoints SET url = ? WHERE id = ?', receiver.url, id)
    const tested = await strict.call('POST', `${ENDPOINTS}/${id}/test`, { token: person.token })
    const error = expect.stringContaining('does not lead to a public address')
    expect(tested.json).toMatchObject({ status: 'failed', error, attempt_log: [{ error }] })
    expect(await receiver.received()).toEqual([])
  })
})
