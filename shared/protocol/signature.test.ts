import { describe, expect, test } from 'vitest'
import { isSigned, parseKeys, type SignatureHeaders, sign } from './signature.ts'

const OLD = 'b2xkLW9sZC1vbGQtb2xkLW9sZC1vbGQ='
const NEW = 'bmV3LW5ldy1uZXctbmV3LW5ldy1uZXc='
const OTHER_KEY = 'Zm9yZWlnbi1mb3JlaWduLWZvcmVpZ24='
const BODY = '{"job_id":"a","text":"ä€😀"}'

function headersAt(age_seconds: number): SignatureHeaders {
  return sign([OLD], 'message-1', BODY, new Date(Date.now() - age_seconds * 1000))
}

test('what one half signs the other accepts, by the names of Standard Webhooks', () => {
  const headers = headersAt(0)
  expect(Object.keys(headers).sort()).toEqual(['webhook-id', 'webhook-signature', 'webhook-timestamp'])
  expect(headers['webhook-signature']).toMatch(/^v1,/)
  expect(isSigned([OLD], { ...headers }, BODY)).toBe(true)
})

test('an empty body can be signed', () => {
  expect(isSigned([OLD], { ...sign([OLD], 'ready', '', new Date()) }, '')).toBe(true)
})

describe('refused', () => {
  test('another key', () => expect(isSigned([OTHER_KEY], { ...headersAt(0) }, BODY)).toBe(false))
  test('no key at all', () => expect(isSigned([], { ...headersAt(0) }, BODY)).toBe(false))
  test.each([BODY.replace('"a"', '"b"'), `${BODY} `, ''])('another body: %s', (body) => {
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
  ])('another %s: %s', (name, value) => {
    expect(isSigned([OLD], { ...headersAt(0), [name]: value }, BODY)).toBe(false)
  })
  test.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])('no %s', (name) => {
    expect(isSigned([OLD], { ...headersAt(0), [name]: undefined }, BODY)).toBe(false)
  })
  test('older than five minutes', () => expect(isSigned([OLD], { ...headersAt(302) }, BODY)).toBe(false))
  test('from more than five minutes ahead', () =>
    expect(isSigned([OLD], { ...headersAt(-302) }, BODY)).toBe(false))
})

test('within five minutes either way is fine', () => {
  for (const age_seconds of [290, -290])
    expect(isSigned([OLD], { ...headersAt(age_seconds) }, BODY)).toBe(true)
})

describe('a change of keys without a pause', () => {
  const byOld = sign([OLD, NEW], '1', BODY, new Date())
  const byNew = sign([NEW, OLD], '1', BODY, new Date())

  test('the first key signs', () => {
    expect(isSigned([OLD], { ...byOld }, BODY)).toBe(true)
    expect(isSigned([NEW], { ...byOld }, BODY)).toBe(false)
  })
  test('either is accepted in any order while both are live', () => {
    for (const headers of [byOld, byNew]) {
      for (const keys of [
        [OLD, NEW],
        [NEW, OLD],
      ])
        expect(isSigned(keys, { ...headers }, BODY)).toBe(true)
    }
  })
  test('the old one is refused once it is gone', () => {
    expect(isSigned([NEW], { ...byOld }, BODY)).toBe(false)
  })
})

test('signing without a key is an error, never an unsigned request', () => {
  expect(() => sign([], '1', BODY, new Date())).toThrow('no signing key')
})

test('keys are parted at commas, in order, empty ones left out', () => {
  expect(parseKeys(` ${NEW} ,, ${OLD},`)).toEqual([NEW, OLD])
  expect(parseKeys('')).toEqual([])
})
