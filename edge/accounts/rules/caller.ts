import type { Locale } from '../../../shared/text/texts.ts'
import type { PlanLimits } from './limits.ts'
import type { Tier } from './tier.ts'

/** The plan for the current term. */
export interface CallerPlan {
  name: string
  limits: PlanLimits
  access_ends: number
}

/** The caller of a request. Contract: Accounts, Authentication. */
export interface CallerAccount {
  id: number
  email: string
  full_name: string | null
  email_verified: boolean
  has_password: boolean
  idp_linked: boolean
  is_admin: boolean
  payments_enabled: boolean
  locale: Locale
  plan: CallerPlan | null
  created_at: number
}

export interface CallerKey {
  id: number
  name: string | null
  max_per_day: number
}

interface Client {
  /** Owner keys under which the client's anonymous files may be stored. */
  owner_keys?: readonly string[]
  /** Hash of an anonymous caller's address, used for rate limits. */
  address_key?: string
  /** Hash of an anonymous caller's IPv6 block, used for shared rate limits; null for other addresses. */
  block_key?: string | null
}

/**
 * `epoch` is the account's session epoch when this session started; see `session_epoch`. `signed_in_at` is the time at
 * which it started.
 */
export type SessionCaller = {
  kind: 'session'
  account: CallerAccount
  session_id: string
  epoch: number
  signed_in_at: number
} & Client
export type KeyCaller = { kind: 'key'; account: CallerAccount; key: CallerKey } & Client
export type AccountCaller = SessionCaller | KeyCaller
/** The owner of an upload link, for requests that someone else makes with the link. */
export type LinkOwner = { kind: 'bridge'; account: CallerAccount } & Client
type AnonymousCaller = { kind: 'anonymous'; account: null } & Client
export type Caller = AccountCaller | LinkOwner | AnonymousCaller

export const ANONYMOUS: AnonymousCaller = { kind: 'anonymous', account: null }

export function tierOf({ account }: Caller, now: number): Tier {
  if (account === null) return 'anonymous'
  return planInForce(account, now) === null ? 'free' : 'paid'
}

/** Returns the source of a job as shown in usage lists. */
export function sourceOf({ kind }: Caller): 'web' | 'api' | 'bridge' {
  if (kind === 'bridge') return 'bridge'
  return kind === 'key' ? 'api' : 'web'
}

/** Administration requires a session. An administrator's API key sees only that administrator's account. */
export function seesAll(caller: Caller): boolean {
  return caller.kind === 'session' && caller.account.is_admin
}

/** Checks whether a caller may see a job or a batch. For anonymous jobs and batches, knowing the id is enough. */
export function maySee(caller: Caller, { accountId }: { accountId: number | null }): boolean {
  return accountId === null || seesAll(caller) || accountId === caller.account?.id
}

/**
 * The owner of a file: an account, or the owner key of an anonymous caller; see edge/accounts/anonymous-client.ts.
 */
export interface FileOwner {
  accountId: number | null
  ownerKey: string | null
}

/**
 * Checks whether a caller may use an upload or a result. Callers keep access to the files they created before
 * signing in.
 */
export function ownsFile(caller: Caller, { accountId, ownerKey }: FileOwner): boolean {
  if (accountId !== null) return caller.account?.id === accountId
  return ownerKey !== null && (caller.owner_keys?.includes(ownerKey) ?? false)
}

/** Returns the account's current plan; null for a free account. */
export function planInForce({ plan }: Pick<CallerAccount, 'plan'>, now: number): CallerPlan | null {
  return plan !== null && now < plan.access_ends ? plan : null
}
