import { beforeAll, describe, expect, test } from 'vitest'
import { makeTestContext, type TestContext } from '../../test/edge/worker/context.ts'
import { freshAddress, makeLimitedContext } from '../../test/edge/worker/limited-context.ts'
import { register } from '../../test/edge/worker/people.ts'

const CAPTCHA = {
  CAPTCHA_SITE_KEY: 'site-key',
  CAPTCHA_SECRET_KEY: 'captcha-secret',
  CAPTCHA_VERIFY_URL: `${String(Reflect.get(makeTestContext().env, 'INTERNET_URL'))}/captcha`,
}
const LIMITS = { registrations_per_hour_per_ip: 1 }

let open: TestContext
let closed: TestContext
let known: string
beforeAll(async () => {
  open = await makeLimitedContext(LIMITS, CAPTCHA)
  closed = await makeLimitedContext({ ...LIMITS, registration_enabled: false }, CAPTCHA)
  known = (await register(open)).email
})

function attempt(testContext: TestContext, network: string, email: string, captcha_token = 'solved') {
  const body = { email, password: 'correct horse battery', captcha_token }
  const headers = { 'cf-connecting-ip': network }
  return testContext.call('POST', '/api/v1/auth/register', { body, headers })
}

const at = (domain: string) => `${crypto.randomUUID()}@${domain}`

/** Returns a network that has used up its only registration. */
async function usedUpNetwork(): Promise<string> {
  const network = freshAddress()
  expect((await attempt(open, network, at('example.com'))).status).toBe(201)
  return network
}

interface Wrong {
  isClosed?: boolean
  captcha?: string
  isUsedUp?: boolean
  email: string
}

describe('the first failing guard of a registration determines the error', () => {
  // Each case fails the guard it tests and all later ones.
  test.each<[string, number, string | null, Wrong]>([
    [
      'registration is off',
      403,
      null,
      { isClosed: true, captcha: 'guessed', isUsedUp: true, email: 'a b@c' },
    ],
    ['the captcha is unsolved', 400, null, { captcha: 'guessed', isUsedUp: true, email: 'a b@c' }],
    ['the network has no registrations left', 429, null, { isUsedUp: true, email: 'a b@c' }],
    ['the address is malformed', 422, 'invalid_email', { email: 'a b@mailinator.com' }],
    ['the address is too long', 422, 'invalid_email', { email: `${'a'.repeat(300)}@mailinator.com` }],
    ['the domain accepts no mail', 422, 'email_domain_unreachable', { email: at('nowhere.example.org') }],
    ['the domain is disposable', 422, 'disposable_email', { email: at('mailinator.com') }],
  ])('%s: %i', async (_name, status, fault, { isClosed, captcha, isUsedUp, email }) => {
    const network = isUsedUp ? await usedUpNetwork() : freshAddress()
    const answer = await attempt(isClosed ? closed : open, network, email, captcha)
    expect(answer.status).toBe(status)
    if (fault === null) expect(answer.json.detail).toEqual(expect.any(String))
    else {
      expect(answer.json.detail).toEqual([{ loc: ['body', 'email'], msg: expect.any(String), type: fault }])
    }
  })

  test('an address that already has an account is checked last', async () => {
    expect((await attempt(open, freshAddress(), known)).status).toBe(409)
  })
})

test.each([
  ['is refused because registration is off', () => closed, 'a b@c', 'solved', 201],
  ['has an unsolved captcha', () => open, 'a b@c', 'guessed', 201],
  ['has a malformed address', () => open, 'a b@c', 'solved', 201],
] as const)(
  'when a registration %s, the next one of its network gets the status of its guard',
  async (_name, testContext, email, captcha, after) => {
    const network = freshAddress()
    await attempt(testContext(), network, email, captcha)
    expect((await attempt(open, network, at('example.com'))).status).toBe(after)
  },
)

test('refused registrations use up only the attempt limit of their network, not its account limit', async () => {
  const testContext = await makeLimitedContext(
    { ...LIMITS, registration_attempts_per_hour_per_ip: 4 },
    CAPTCHA,
  )
  const network = freshAddress()
  const registered = (await register(testContext)).email
  const refused = [at('mailinator.com'), 'a b@c', registered]
  const statuses: number[] = []
  for (const email of [...refused, at('example.com'), at('example.com')]) {
    statuses.push((await attempt(testContext, network, email)).status)
  }
  expect(statuses).toEqual([422, 422, 409, 201, 429])
})
