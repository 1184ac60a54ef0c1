import { expect, test } from 'vitest'
import { resolveFeatures, segmentsOf } from './features.ts'

const account = {
  id: 1,
  email: 'a@example.com',
  full_name: null,
  email_verified: false,
  has_password: true,
  idp_linked: false,
  is_admin: false,
  payments_enabled: true,
  locale: 'en' as const,
  plan: null,
  created_at: 0,
}
const session = { kind: 'session' as const, session_id: 's', epoch: 1, signed_in_at: 0 }

test('a caller belongs to its segments', () => {
  expect(segmentsOf({ kind: 'anonymous', account: null })).toEqual(['anonymous'])
  expect(segmentsOf({ ...session, account })).toEqual(['account', 'unverified'])
  const admin = { ...account, email_verified: true, is_admin: true }
  expect(segmentsOf({ ...session, account: admin })).toEqual(['account', 'verified', 'admin'])
})

test('a switch is on for all, for none, or for the segments it names', () => {
  const switches = { on: true, off: false, early: ['admin', 'verified'], nobody: [] }
  expect(resolveFeatures(switches, ['account', 'verified'])).toEqual({
    on: true,
    off: false,
    early: true,
    nobody: false,
  })
  expect(resolveFeatures(switches, ['anonymous'])).toMatchObject({ on: true, early: false })
})
