import { expect, test } from 'vitest'
import { ANONYMOUS, type Caller, type CallerAccount, maySee, seesAll } from './caller.ts'

const account = (id: number, is_admin: boolean): CallerAccount => ({
  id,
  email: `${id}@localhost.test`,
  full_name: null,
  email_verified: true,
  has_password: true,
  idp_linked: false,
  is_admin,
  payments_enabled: true,
  locale: 'en',
  plan: null,
  created_at: 0,
})
const session = (id: number, is_admin: boolean): Caller => ({
  kind: 'session',
  account: account(id, is_admin),
  session_id: 's',
  epoch: 1,
  signed_in_at: 0,
})
const key = (id: number, is_admin: boolean): Caller => ({
  kind: 'key',
  account: account(id, is_admin),
  key: { id: 1, name: null, max_per_day: 0 },
})
const link = (id: number, is_admin: boolean): Caller => ({ kind: 'bridge', account: account(id, is_admin) })

test.each([
  ["an owner's session", session(1, false), [true, false, true]],
  ["an owner's key", key(1, false), [true, false, true]],
  ["an owner's upload link", link(1, false), [true, false, true]],
  ["an administrator's session", session(1, true), [true, true, true]],
  ["an administrator's key", key(1, true), [true, false, true]],
  ["an administrator's upload link", link(1, true), [true, false, true]],
  ['nobody', ANONYMOUS, [false, false, true]],
] as const)(
  '%s can see its own jobs, those of others, and those without an owner: %#',
  (_who, caller, seen) => {
    expect([1, 2, null].map((accountId) => maySee(caller, { accountId }))).toEqual(seen)
    expect(seesAll(caller)).toBe(seen[1])
  },
)
