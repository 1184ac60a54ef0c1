import fc from 'fast-check'
import { expect, test } from 'vitest'
import { signHex } from '../sign-example.ts'
import { isSignedByPaddle } from './signature.ts'

const SECRET = 'pdl_ntfset_01h8e1jxjnw9ra6zarhnz1a7y1'
const NOW = Date.parse('2026-11-20T12:00:00Z')
const TS = NOW / 1000

function sign(body: string, secret = SECRET, ts = TS): Promise<string> {
  return signHex('SHA-256', secret, `${ts}:${body}`)
}

const check = (header: string | null, body: string, secrets = [SECRET]) =>
  isSignedByPaddle(secrets, header, body, NOW)

test('a body signed by Paddle is accepted, and refused with any character changed', async () => {
  const anyText = fc.string({ minLength: 1, unit: 'binary' })
  await fc.assert(
    fc.asyncProperty(
      anyText,
      fc.nat(),
      fc.string({ minLength: 1, maxLength: 1 }),
      async (body, at, other) => {
        const header = `ts=${TS};h1=${await sign(body)}`
        const index = at % body.length
        const changed = body.slice(0, index) + other + body.slice(index + 1)
        expect(await check(header, body)).toBe(true)
        expect(await check(header, changed)).toBe(changed === body)
      },
    ),
  )
})

test('a signature with any character changed is refused', async () => {
  const signature = await sign('{}')
  await fc.assert(
    fc.asyncProperty(
      fc.nat({ max: signature.length - 1 }),
      fc.constantFrom(...'0123456789abcdef'),
      async (index, digit) => {
        const changed = signature.slice(0, index) + digit + signature.slice(index + 1)
        expect(await check(`ts=${TS};h1=${changed}`, '{}')).toBe(changed === signature)
      },
    ),
  )
})

test('during secret rotation either signature and either secret is accepted', async () => {
  const [old, fresh] = [await sign('{}', 'old'), await sign('{}', 'fresh')]
  expect(await check(`ts=${TS};h1=${fresh};h1=${old}`, '{}', ['old'])).toBe(true)
  expect(await check(`ts=${TS};h1=${old};h1=${fresh}`, '{}', ['old'])).toBe(true)
  expect(await check(`ts=${TS};h1=${old}`, '{}', ['fresh', 'old'])).toBe(true)
  expect(await check(`ts=${TS};h1=${old};h1=${fresh}`, '{}', ['another'])).toBe(false)
})

test.each([
  [299, true],
  [-299, true],
  [301, false],
  [-301, false],
])('signed %i seconds from now: %s', async (seconds, isAccepted) => {
  const ts = TS - seconds
  expect(await check(`ts=${ts};h1=${await sign('{}', SECRET, ts)}`, '{}')).toBe(isAccepted)
})

test.each([
  null,
  '',
  'ts=;h1=',
  `h1=SIGNATURE`,
  `ts=${TS}`,
  `ts=${TS};h1=`,
  `ts=${TS};h1=xyz`,
  `ts=${TS};h1=SHORT`,
  `ts=${TS};h1=SIGNATURE00`,
  `ts=${TS}.0;h1=SIGNATURE`,
  `ts=${TS};ts=${TS};h1=SIGNATURE`,
])('the header %j is refused', async (header) => {
  const signature = await sign('{}')
  const written = header?.replace('SIGNATURE', signature).replace('SHORT', signature.slice(2)) ?? null
  expect(await check(written, '{}')).toBe(false)
})

test('everything is refused without a secret', async () => {
  expect(await check(`ts=${TS};h1=${await sign('{}', 'any')}`, '{}', [])).toBe(false)
})
