import { expect, test } from 'vitest'
import { corsHeaders, preflightHeaders, readCorsRule } from './cors.ts'

const rule = readCorsRule()
const ORIGIN = 'https://shop.example'

test.each(['GET', 'PUT', 'POST', 'DELETE'])(
  'the rule of the bucket lets every page send a signed %s',
  (method) => {
    expect(preflightHeaders(rule, { origin: ORIGIN, method, headers: ['Content-Type'] })).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-headers': 'content-type',
    })
    expect(corsHeaders(rule, ORIGIN)).toMatchObject({ 'access-control-expose-headers': 'etag' })
  },
)

test.each([
  [{ method: 'PATCH' }],
  [{ headers: ['x-amz-copy-source'] }],
  [{ headers: ['content-type', 'authorization'] }],
])('the rule refuses %j', (change) => {
  expect(preflightHeaders(rule, { origin: ORIGIN, method: 'PUT', headers: [], ...change })).toBeNull()
})

test('a rule with a list of origins names the origin and refuses others', () => {
  const strict = { ...rule, allowed: { ...rule.allowed, origins: [ORIGIN] } }
  expect(corsHeaders(strict, ORIGIN)).toMatchObject({ 'access-control-allow-origin': ORIGIN, vary: 'origin' })
  expect(corsHeaders(strict, 'https://other.example')).toEqual({})
  const preflight = { origin: 'https://other.example', method: 'PUT', headers: [] }
  expect(preflightHeaders(strict, preflight)).toBeNull()
})
