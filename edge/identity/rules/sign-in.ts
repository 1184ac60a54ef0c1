import type { Refusal } from '../../platform/errors/rules/table.ts'

/** What a person goes to the identity provider for. */
export type SignInMode = 'login' | 'link'

/** What an identity provider says of a person who signed in there. */
export interface Identity {
  issuer: string
  subject: string
  email: string | null
  /** The provider vouches that the address is this person's. */
  email_verified: boolean
  full_name: string | null
  /** A language tag. */
  locale: string | null
}

/** What a provider says of an address in one of its two answers, the token and the user-info endpoint. */
interface ToldAddress {
  email?: string | undefined
  email_verified?: boolean | undefined
}

/** The address, and whether it was vouched for where it was told: one answer never vouches for the other's. */
export function addressOfIdentity(
  token: ToldAddress,
  info: ToldAddress,
): Pick<Identity, 'email' | 'email_verified'> {
  const { email, email_verified } = info.email === undefined ? token : info
  return { email: email ?? null, email_verified: email_verified === true }
}

/** The account, as far as this decision needs it. */
export interface KnownAccount {
  id: number
  email_verified: boolean
  idp_subject: string | null
}

export type SignIn =
  | { kind: 'enter'; account_id: number }
  /** `take_over`: nobody had proved the address yet, so nothing that opened the account before may stay. */
  | { kind: 'link'; account_id: number; take_over: boolean }
  | { kind: 'create'; email: string }
  | ({ kind: 'refuse' } & Refusal<'identity_email_unverified' | 'account_already_linked'>)

/**
 * Which account an identity opens: the one it is linked to; at the first sign-in the one with its verified
 * address; otherwise a new one. Contract: Accounts, Identity provider.
 */
export function decideSignIn(
  identity: Identity,
  linked: KnownAccount | undefined,
  sameAddress: KnownAccount | undefined,
): SignIn {
  if (linked) return { kind: 'enter', account_id: linked.id }
  if (identity.email === null || !identity.email_verified) {
    return { kind: 'refuse', code: 'identity_email_unverified' }
  }
  if (sameAddress === undefined) return { kind: 'create', email: identity.email }
  // Somebody may have opened it with another person's address, to share what that person brings later, and
  // have linked an identity of their own to it.
  if (!sameAddress.email_verified) return { kind: 'link', account_id: sameAddress.id, take_over: true }
  if (sameAddress.idp_subject !== null) return { kind: 'refuse', code: 'account_already_linked' }
  return { kind: 'link', account_id: sameAddress.id, take_over: false }
}

const PATH_LENGTH_MAX = 2048

/** A path on this site, with its query. What a browser could read as another site's address is not one. */
export function isSitePath(text: string): boolean {
  // Browsers drop tabs and line ends from addresses.
  return text.length <= PATH_LENGTH_MAX && /^\/(?![/\\])[^\\ \p{Cc}]*$/u.test(text)
}

interface BegunFlow {
  mode: SignInMode
  browserHash: string
  sessionId: string | null
}

/** @param browser_hash undefined for a client that is no browser */
interface Finisher {
  browser_hash: string | undefined
  session_id: string | null
}

/**
 * Whether a sign-in is finished by the client that began it. A link is a lasting way into an account, so that it
 * ends in the browser and in the session that it began in.
 */
export function canFinishFlow(flow: BegunFlow, { browser_hash, session_id }: Finisher): boolean {
  if (flow.mode === 'login') return browser_hash === undefined || browser_hash === flow.browserHash
  if (flow.sessionId !== null && flow.sessionId !== session_id) return false
  return (browser_hash ?? '') === flow.browserHash
}
