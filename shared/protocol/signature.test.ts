import { describe, expect, test } from 'vitest'
import { isFromPeer, isSigned, parseKeys, type SignatureHeaders, signRequest } from './signature.ts'

const OLD = 'b2xkLW9sZC1vbGQtb2xkLW9sZC1vbGQ='
const NEW = 'bmV3LW5ldy1uZXctbmV3LW5ldy1uZXc='
const OTHER_KEY = 'Zm9yZWlnbi1mb3JlaWduLWZvcmVpZ24='
const BODY = '{"job_id":"a","text":"ä€😀"}'

const REQUEST = { to: 'edge', method: 'POST', path: '/internal/callbacks' } as const

function headersAt(age_seconds: number): SignatureHeaders {
  const now = new Date(Date.now() - age_seconds * 1000)
  return signRequest([OLD], REQUEST, { id: 'message-1', body: BODY, now })
}

test('accepts valid signatures, with the header names of Standard Webhooks', () => {
  const headers = headersAt(0)
  expect(Object.keys(headers).sort()).toEqual([
    'webhook-id',
    'webhook-sender',
    'webhook-signature',
    'webhook-timestamp',
  ])
  expect(headers['webhook-signature']).toMatch(/^v1,/)
  expect(isSigned([OLD], REQUEST, { ...headers }, BODY)).toBe(true)
})

test('signs an empty body', () => {
  expect(isSigned([OLD], REQUEST, { ...signRequest([OLD], REQUEST, { id: 'ready', body: '' }) }, '')).toBe(
    true,
  )
})

describe('refuses a request', () => {
  test('signed with another key', () =>
    expect(isSigned([OTHER_KEY], REQUEST, { ...headersAt(0) }, BODY)).toBe(false))
  test('if there is no key', () => expect(isSigned([], REQUEST, { ...headersAt(0) }, BODY)).toBe(false))
  test.each([BODY.replace('"a"', '"b"'), `${BODY} `, ''])('with another body: %s', (body) => {
    expect(isSigned([OLD], REQUEST, { ...headersAt(0) }, body)).toBe(false)
  })
  test.each([
    ['webhook-id', 'message-2'],
    ['webhook-timestamp', String(Math.floor(Date.now() / 1000) + 10)],
    ['webhook-timestamp', 'yesterday'],
    ['webhook-signature', 'v1,AAAA'],
    ['webhook-signature', 'v2,x y z'],
    ['webhook-signature', '€,€'],
    ['webhook-signature', ''],
  ])('with another %s: %s', (name, value) => {
    expect(isSigned([OLD], REQUEST, { ...headersAt(0), [name]: value }, BODY)).toBe(false)
  })
  test.each([
    { ...REQUEST, to: 'fleet' as const },
    { ...REQUEST, method: 'PUT' },
    { ...REQUEST, path: '/internal/storage-access' },
  ])('signed for $method $path to the $to', (request) => {
    expect(isSigned([OLD], request, { ...headersAt(0) }, BODY)).toBe(false)
    expect(isFromPeer([OLD], request, { ...headersAt(0) })).toBe(false)
  })
  test('signed by the headers of its sender alone', () => {
    const signed = { ...headersAt(0) }
    expect(isFromPeer([OLD], REQUEST, signed)).toBe(true)
    const moved = { ...signed, 'webhook-signature': signed['webhook-sender'] }
    expect(isSigned([OLD], REQUEST, moved, BODY)).toBe(false)
    expect(isFromPeer([OLD], REQUEST, { ...signed, 'webhook-sender': signed['webhook-signature'] })).toBe(
      false,
    )
    expect(isFromPeer([OLD], REQUEST, { ...signed, 'webhook-id': 'message-2' })).toBe(false)
    expect(isFromPeer([OLD], REQUEST, { ...signed, 'webhook-sender': undefined })).toBe(false)
  })
  test.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])('without %s', (name) => {
    expect(isSigned([OLD], REQUEST, { ...headersAt(0), [name]: undefined }, BODY)).toBe(false)
  })
  test('signed more than five minutes ago', () =>
    expect(isSigned([OLD], REQUEST, { ...headersAt(302) }, BODY)).toBe(false))
  test('signed more than five minutes in the future', () =>
    expect(isSigned([OLD], REQUEST, { ...headersAt(-302) }, BODY)).toBe(false))
})

test('accepts a clock difference of up to five minutes', () => {
  for (const age_seconds of [290, -290])
    expect(isSigned([OLD], REQUEST, { ...headersAt(age_seconds) }, BODY)).toBe(true)
})

describe('key rotation without downtime', () => {
  const byOld = signRequest([OLD, NEW], REQUEST, { id: '1', body: BODY })
  const byNew = signRequest([NEW, OLD], REQUEST, { id: '1', body: BODY })

  test('signs with the first key', () => {
    expect(isSigned([OLD], REQUEST, { ...byOld }, BODY)).toBe(true)
    expect(isSigned([NEW], REQUEST, { ...byOld }, BODY)).toBe(false)
  })
  test('accepts both keys in any order', () => {
    for (const headers of [byOld, byNew]) {
      for (const keys of [
        [OLD, NEW],
        [NEW, OLD],
      ])
        expect(isSigned(keys, REQUEST, { ...headers }, BODY)).toBe(true)
    }
  })
  test('refuses signatures of a removed key', () => {
    expect(isSigned([NEW], REQUEST, { ...byOld }, BODY)).toBe(false)
  })
})

test('throws without a key instead of sending an unsigned request', () => {
  expect(() => signRequest([], REQUEST, { id: '1', body: BODY })).toThrow('no signing key')
})

test('splits keys at commas, in order, and drops empty ones', () => {
  expect(parseKeys(` ${NEW} ,, ${OLD},`)).toEqual([NEW, OLD])
  expect(parseKeys('')).toEqual([])
})
