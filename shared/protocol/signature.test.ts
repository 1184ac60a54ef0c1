import { describe, expect, test } from 'vitest'
import { isSigned, parseKeys, type SignatureHeaders, sign } from './signature.ts'

const OLD = 'b2xkLW9sZC1vbGQtb2xkLW9sZC1vbGQ='
const NEW = 'bmV3LW5ldy1uZXctbmV3LW5ldy1uZXc='
const OTHER_KEY = 'Zm9yZWlnbi1mb3JlaWduLWZvcmVpZ24='
const BODY = '{"job_id":"a","text":"ä€😀"}'

function headersAt(age_seconds: number): SignatureHeaders {
  return sign([OLD], 'message-1', BODY, new Date(Date.now() - age_seconds * 1000))
}

test('accepts valid signatures, with the header names of Standard Webhooks', () => {
  const headers = headersAt(0)
  expect(Object.keys(headers).sort()).toEqual(['webhook-id', 'webhook-signature', 'webhook-timestamp'])
  expect(headers['webhook-signature']).toMatch(/^v1,/)
  expect(isSigned([OLD], { ...headers }, BODY)).toBe(true)
})

test('signs an empty body', () => {
  expect(isSigned([OLD], { ...sign([OLD], 'ready', '', new Date()) }, '')).toBe(true)
})

describe('refuses a request', () => {
  test('signed with another key', () => expect(isSigned([OTHER_KEY], { ...headersAt(0) }, BODY)).toBe(false))
  test('if there is no key', () => expect(isSigned([], { ...headersAt(0) }, BODY)).toBe(false))
  test.each([BODY.replace('"a"', '"b"'), `${BODY} `, ''])('with another body: %s', (body) => {
    expect(isSigned([OLD], { ...headersAt(0) }, body)).toBe(false)
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
    expect(isSigned([OLD], { ...headersAt(0), [name]: value }, BODY)).toBe(false)
  })
  test.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])('without %s', (name) => {
    expect(isSigned([OLD], { ...headersAt(0), [name]: undefined }, BODY)).toBe(false)
  })
  test('signed more than five minutes ago', () =>
    expect(isSigned([OLD], { ...headersAt(302) }, BODY)).toBe(false))
  test('signed more than five minutes in the future', () =>
    expect(isSigned([OLD], { ...headersAt(-302) }, BODY)).toBe(false))
})

test('accepts a clock difference of up to five minutes', () => {
  for (const age_seconds of [290, -290])
    expect(isSigned([OLD], { ...headersAt(age_seconds) }, BODY)).toBe(true)
})

describe('key rotation without downtime', () => {
  const byOld = sign([OLD, NEW], '1', BODY, new Date())
  const byNew = sign([NEW, OLD], '1', BODY, new Date())

  test('signs with the first key', () => {
    expect(isSigned([OLD], { ...byOld }, BODY)).toBe(true)
    expect(isSigned([NEW], { ...byOld }, BODY)).toBe(false)
  })
  test('accepts both keys in any order', () => {
    for (const headers of [byOld, byNew]) {
      for (const keys of [
        [OLD, NEW],
        [NEW, OLD],
      ])
        expect(isSigned(keys, { ...headers }, BODY)).toBe(true)
    }
  })
  test('refuses signatures of a removed key', () => {
    expect(isSigned([NEW], { ...byOld }, BODY)).toBe(false)
  })
})

test('throws without a key instead of sending an unsigned request', () => {
  expect(() => sign([], '1', BODY, new Date())).toThrow('no signing key')
})

test('splits keys at commas, in order, and drops empty ones', () => {
  expect(parseKeys(` ${NEW} ,, ${OLD},`)).toEqual([NEW, OLD])
  expect(parseKeys('')).toEqual([])
})
