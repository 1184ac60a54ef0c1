import type { Locale } from '../../platform/http/rules/locale.ts'
import type { PlanLimits } from './limits.ts'
import type { Tier } from './tier.ts'

/** The plan of a running term. */
export interface CallerPlan {
  name: string
  limits: PlanLimits
  access_ends: number
}

/** Who makes a request. Contract: Accounts, Authentication. */
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
  /** The names that this client's anonymous files may have been stored under. */
  owner_keys?: readonly string[]
  /** Of an anonymous caller: the name of its address, by which limits count. */
  address_key?: string
}

/** `epoch`: the count of times that all the account's sessions were ended, when this one began. */
export type SessionCaller = {
  kind: 'session'
  account: CallerAccount
  session_id: string
  epoch: number
} & Client
export type KeyCaller = { kind: 'key'; account: CallerAccount; key: CallerKey } & Client
export type AccountCaller = SessionCaller | KeyCaller
/** The owner of an upload link, in whose name somebody else sends a file by it. */
export type LinkOwner = { kind: 'bridge'; account: CallerAccount } & Client
type AnonymousCaller = { kind: 'anonymous'; account: null } & Client
export type Caller = AccountCaller | LinkOwner | AnonymousCaller

export const ANONYMOUS: AnonymousCaller = { kind: 'anonymous', account: null }

export function tierOf({ account }: Caller, now: number): Tier {
  if (account === null) return 'anonymous'
  return planInForce(account, now) === null ? 'free' : 'paid'
}

/** Where a job came from, as usage lists tell it. */
export function sourceOf({ kind }: Caller): 'web' | 'api' | 'bridge' {
  if (kind === 'bridge') return 'bridge'
  return kind === 'key' ? 'api' : 'web'
}

/** Administration is done by sessions: an administrator's key sees what is its account's own. */
export function seesAll(caller: Caller): boolean {
  return caller.kind === 'session' && caller.account.is_admin
}

/** Whether a job or a batch may be shown. The id of an anonymous caller's one is all that its reader needs. */
export function maySee(caller: Caller, { accountId }: { accountId: number | null }): boolean {
  return accountId === null || seesAll(caller) || accountId === caller.account?.id
}

/** The owner of a file: an account, or the name of an anonymous caller; see services/anonymous.ts. */
export interface FileOwner {
  accountId: number | null
  ownerKey: string | null
}

/** Checks whether a caller may use an upload or a result. Files from before the caller signed in stay its own. */
export function ownsFile(caller: Caller, { accountId, ownerKey }: FileOwner): boolean {
  if (accountId !== null) return caller.account?.id === accountId
  return ownerKey !== null && (caller.owner_keys?.includes(ownerKey) ?? false)
}

/** The plan that an account has now; null on a free account. */
export function planInForce({ plan }: Pick<CallerAccount, 'plan'>, now: number): CallerPlan | null {
  return plan !== null && now < plan.access_ends ? plan : null
}
