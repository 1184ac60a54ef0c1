import { describe, expect, test } from 'vitest'
import { addressOfIdentity, canFinishFlow, decideSignIn, type Identity } from './sign-in.ts'

const identity: Identity = {
  issuer: 'https://id.example',
  subject: 's1',
  email: 'ada@example.com',
  email_verified: true,
  full_name: null,
  locale: null,
}
const account = { id: 7, email_verified: true, idp_subject: null }

describe('signing in with an identity', () => {
  test('uses the account it is linked to, whatever its address', () => {
    const linked = { ...account, idp_subject: 's1' }
    const unverified = { ...identity, email: null, email_verified: false }
    expect(decideSignIn(unverified, linked, { ...account, id: 8 })).toEqual({ kind: 'enter', account_id: 7 })
  })

  test('links it first to the account of its verified address', () => {
    expect(decideSignIn(identity, undefined, account)).toEqual({
      kind: 'link',
      account_id: 7,
      take_over: false,
    })
  })

  test('takes over an unverified account with the same address', () => {
    expect(decideSignIn(identity, undefined, { ...account, email_verified: false })).toEqual({
      kind: 'link',
      account_id: 7,
      take_over: true,
    })
  })

  test('takes over an unverified account from another identity too, because that one would lock the owner out', () => {
    const squatted = { ...account, email_verified: false, idp_subject: 's2' }
    expect(decideSignIn(identity, undefined, squatted)).toEqual({
      kind: 'link',
      account_id: 7,
      take_over: true,
    })
  })

  test('creates an account when none matches', () => {
    expect(decideSignIn(identity, undefined, undefined)).toEqual({ kind: 'create', email: 'ada@example.com' })
  })

  test.each([
    ['an unverified address', { email_verified: false }, account, 'identity_email_unverified'],
    ['no address', { email: null }, undefined, 'identity_email_unverified'],
    [
      'the verified address of an account linked to another identity',
      {},
      { ...account, idp_subject: 's2' },
      'account_already_linked',
    ],
  ])('is refused with %s', (_name, change, sameAddress, code) => {
    expect(decideSignIn({ ...identity, ...change }, undefined, sameAddress)).toEqual({
      kind: 'refuse',
      code,
    })
  })
})

describe('the address of an identity', () => {
  test.each([
    ['the token only', { email: 'a@x.org', email_verified: true }, {}, 'a@x.org', true],
    ['the endpoint only', {}, { email: 'a@x.org', email_verified: true }, 'a@x.org', true],
    ['both', { email: 'a@x.org', email_verified: true }, { email: 'b@x.org' }, 'b@x.org', false],
    [
      'the endpoint, which verifies no address',
      { email: 'a@x.org' },
      { email_verified: true },
      'a@x.org',
      false,
    ],
    ['none', {}, {}, null, false],
  ])('from %s is verified only by its own source', (_name, token, info, email, email_verified) => {
    expect(addressOfIdentity(token, info)).toEqual({ email, email_verified })
  })
})

test.each([
  ['login', { browserHash: 'a', sessionId: null }, { browser_hash: 'a', session_id: null }, true],
  ['login', { browserHash: 'a', sessionId: null }, { browser_hash: 'b', session_id: null }, false],
  ['login', { browserHash: 'a', sessionId: null }, { browser_hash: undefined, session_id: null }, true],
  ['link', { browserHash: 'a', sessionId: 's' }, { browser_hash: 'a', session_id: 's' }, true],
  ['link', { browserHash: 'a', sessionId: 's' }, { browser_hash: 'a', session_id: 't' }, false],
  ['link', { browserHash: 'a', sessionId: null }, { browser_hash: 'b', session_id: 's' }, false],
  ['link', { browserHash: 'a', sessionId: null }, { browser_hash: undefined, session_id: 's' }, false],
  ['link', { browserHash: '', sessionId: null }, { browser_hash: undefined, session_id: 's' }, true],
  ['link', { browserHash: '', sessionId: null }, { browser_hash: 'a', session_id: 's' }, false],
] as const)('a %s started as %j and finished as %j is accepted: %s', (mode, begun, finisher, expected) => {
  expect(canFinishFlow({ mode, ...begun }, finisher)).toBe(expected)
})
