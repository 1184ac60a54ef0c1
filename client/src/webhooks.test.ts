import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { signWebhook, verifyWebhook } from './webhooks.ts'

const SECRET = `whsec_${btoa('x'.repeat(32))}`
const OTHER = `whsec_${btoa('y'.repeat(32))}`
const BODY = JSON.stringify({ type: 'job.done', timestamp: '2026-01-01T00:00:00Z', data: { id: 'ж' } })

function signed(secret = SECRET, at = new Date()): Record<string, string> {
  return {
    'Webhook-Id': 'msg_1',
    'Webhook-Timestamp': String(Math.floor(at.getTime() / 1000)),
    'Webhook-Signature': new Webhook(secret).sign('msg_1', at, BODY),
  }
}

describe('the verification of an event', () => {
  test('returns the event that the reference library signed, from text or bytes and any kind of headers', async () => {
    const headers = signed()
    for (const body of [BODY, new TextEncoder().encode(BODY)]) {
      for (const source of [headers, new Headers(headers)]) {
        expect(await verifyWebhook(body, source, SECRET)).toEqual(JSON.parse(BODY))
      }
    }
  })

  test('accepts one of several secrets and one of several signatures', async () => {
    const both = {
      ...signed(OTHER),
      'Webhook-Signature': `v1,AAAA v2,x ${signed()['Webhook-Signature']} ${signed(OTHER)['Webhook-Signature']}`,
    }
    expect(await verifyWebhook(BODY, both, SECRET)).toMatchObject({ type: 'job.done' })
    expect(await verifyWebhook(BODY, signed(), [OTHER, SECRET])).toMatchObject({ type: 'job.done' })
  })

  test.each([
    ['another secret', BODY, signed(), OTHER],
    ['another body', `${BODY} `, signed(), SECRET],
    ['another id', BODY, { ...signed(), 'Webhook-Id': 'msg_2' }, SECRET],
    ['no signature', BODY, { ...signed(), 'Webhook-Signature': '' }, SECRET],
    ['an unreadable signature', BODY, { ...signed(), 'Webhook-Signature': 'v1,%%%' }, SECRET],
    ['no headers', BODY, {}, SECRET],
  ])('refuses %s', async (_, body, headers, secret) => {
    await expect(verifyWebhook(body, headers, secret)).rejects.toMatchObject({ code: 'invalid_signature' })
  })

  test.each([-301, 301])('refuses a clock that differs by %i seconds', async (seconds) => {
    const headers = signed(SECRET, new Date(Date.now() + seconds * 1000))
    await expect(verifyWebhook(BODY, headers, SECRET)).rejects.toMatchObject({ code: 'invalid_timestamp' })
    const options = { toleranceSeconds: 600 }
    expect(await verifyWebhook(BODY, headers, SECRET, options)).toMatchObject({ type: 'job.done' })
  })

  test('refuses a secret that is none', async () => {
    for (const secret of ['', 'whsec_', 'whsec_%%%']) {
      await expect(verifyWebhook(BODY, signed(), secret)).rejects.toMatchObject({ code: 'invalid_secret' })
    }
  })
})

test('the reference library verifies what the client signs', async () => {
  const headers = await signWebhook(BODY, { id: 'msg_1', secret: SECRET })
  expect(new Webhook(SECRET).verify(BODY, headers)).toMatchObject({ type: 'job.done' })
})
