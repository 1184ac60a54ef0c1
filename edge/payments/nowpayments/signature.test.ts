import fc from 'fast-check'
import { expect, test } from 'vitest'
import { signHex } from '../sign-example.ts'
import { FINISHED } from './examples.ts'
import { isSignedByNowpayments } from './signature.ts'

const SECRET = 'ipn-secret'

/** Signs a value as shown in the NOWPayments documentation. */
function sign(value: object): Promise<string> {
  const sorted = (item: object): object =>
    Object.keys(item)
      .sort()
      .reduce<Record<string, unknown>>((result, key) => {
        const inner = (item as Record<string, unknown>)[key]
        result[key] = inner && typeof inner === 'object' ? sorted(inner) : inner
        return result
      }, {})
  return signHex('SHA-512', SECRET, JSON.stringify(sorted(value)))
}

const check = (body: string, signature: string | null) => isSignedByNowpayments(SECRET, signature, body)

test('the documented example is accepted with its keys in any order', async () => {
  const reversed = Object.fromEntries(Object.entries(FINISHED).reverse())
  expect(await check(JSON.stringify(FINISHED), await sign(FINISHED))).toBe(true)
  expect(await check(JSON.stringify(reversed), await sign(FINISHED))).toBe(true)
  expect(await check(JSON.stringify(FINISHED, null, 2), await sign(FINISHED))).toBe(true)
})

test('arrays are accepted in both signed forms', async () => {
  const payment = { ...FINISHED, payment_extra_ids: [3, 1, 2] }
  expect(await check(JSON.stringify(payment), await sign(payment))).toBe(true)
  const sorted = Object.fromEntries(Object.entries(payment).sort(([a], [b]) => (a < b ? -1 : 1)))
  const fee = Object.fromEntries(Object.entries(payment.fee).sort(([a], [b]) => (a < b ? -1 : 1)))
  const kept = await signHex('SHA-512', SECRET, JSON.stringify({ ...sorted, fee }))
  expect(await check(JSON.stringify(payment), kept)).toBe(true)
})

test('extremely deep nesting is refused without an error', async () => {
  const depth = 100_000
  const body = `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`
  expect(await check(body, await sign({}))).toBe(false)
})

test('a change of any value, key or signature is refused', async () => {
  const body = JSON.stringify(FINISHED)
  const signature = await sign(FINISHED)
  await fc.assert(
    fc.asyncProperty(
      fc.nat({ max: body.length - 1 }),
      fc.string({ minLength: 1, maxLength: 1 }),
      async (index, other) => {
        const changed = body.slice(0, index) + other + body.slice(index + 1)
        expect(await check(changed, signature)).toBe(meansTheSame(changed, FINISHED))
      },
    ),
    { numRuns: 300 },
  )
  await fc.assert(
    fc.asyncProperty(
      fc.nat({ max: signature.length - 1 }),
      fc.constantFrom(...'0123456789abcdef'),
      async (index, digit) => {
        const changed = signature.slice(0, index) + digit + signature.slice(index + 1)
        expect(await check(body, changed)).toBe(changed === signature)
      },
    ),
  )
})

/** Checks whether a changed text still parses to the same JSON value. */
function meansTheSame(text: string, value: unknown): boolean {
  try {
    expect(JSON.parse(text)).toEqual(value)
    return true
  } catch {
    return false
  }
}

test.each([
  ['no signature', JSON.stringify(FINISHED), null],
  ['an empty signature', JSON.stringify(FINISHED), ''],
  ['a body that is not JSON', 'payment_id=1', sign({})],
  ['a list', '[]', signHex('SHA-512', SECRET, '[]')],
  ['null', 'null', signHex('SHA-512', SECRET, 'null')],
])('%s is refused', async (_name, body, signature) => {
  expect(await check(body, (await signature) ?? null)).toBe(false)
})

test('a __proto__ key is signed like any other', async () => {
  const body = '{"a":1,"__proto__":{"b":2}}'
  expect(await check(body, await signHex('SHA-512', SECRET, '{"a":1}'))).toBe(false)
  expect(await check(body, await signHex('SHA-512', SECRET, '{"__proto__":{"b":2},"a":1}'))).toBe(true)
})
