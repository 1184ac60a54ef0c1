import type { Refusal } from '../../platform/errors/rules/table.ts'

/** The purpose of signing in with the identity provider. */
export type SignInMode = 'login' | 'link'

/** A user as described by the identity provider. */
export interface Identity {
  issuer: string
  subject: string
  email: string | null
  /** True if the provider has verified the address. */
  email_verified: boolean
  full_name: string | null
  /** A language tag, such as `en-US`. */
  locale: string | null
}

/** The address claims from one provider response: either the token or the user-info endpoint. */
interface AddressClaims {
  email?: string | undefined
  email_verified?: boolean | undefined
}

/**
 * Returns the address along with its verification from the same response. One response never vouches for an address
 * from the other.
 */
export function addressOfIdentity(
  token: AddressClaims,
  info: AddressClaims,
): Pick<Identity, 'email' | 'email_verified'> {
  const { email, email_verified } = info.email === undefined ? token : info
  return { email: email ?? null, email_verified: email_verified === true }
}

/** The account fields that determine how a sign-in proceeds. */
export interface KnownAccount {
  id: number
  email_verified: boolean
  idp_subject: string | null
}

export type SignIn =
  | { kind: 'enter'; account_id: number }
  /** `take_over` means that the address was never verified, so all access of the account's creator must end. */
  | { kind: 'link'; account_id: number; take_over: boolean }
  | { kind: 'create'; email: string }
  | ({ kind: 'refuse' } & Refusal<'identity_email_unverified' | 'account_already_linked'>)

/**
 * Decides which account an identity signs in to: the linked one; on the first sign-in, the one with its verified
 * address; otherwise, a new one. Contract: Accounts, Identity provider.
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
  // Someone else may have created the account with this address, hoping to access whatever its owner adds later.
  // They may also have linked their own identity.
  if (!sameAddress.email_verified) return { kind: 'link', account_id: sameAddress.id, take_over: true }
  if (sameAddress.idp_subject !== null) return { kind: 'refuse', code: 'account_already_linked' }
  return { kind: 'link', account_id: sameAddress.id, take_over: false }
}

interface BegunFlow {
  mode: SignInMode
  browserHash: string
  sessionId: string | null
}

/** @param browser_hash undefined if the client is not a browser */
interface Finisher {
  browser_hash: string | undefined
  session_id: string | null
}

/**
 * Checks that the client that started a sign-in is the one finishing it. A link gives lasting access to an account,
 * so it also requires the same session.
 */
export function canFinishFlow(flow: BegunFlow, { browser_hash, session_id }: Finisher): boolean {
  if (flow.mode === 'login') return browser_hash === undefined || browser_hash === flow.browserHash
  if (flow.sessionId !== null && flow.sessionId !== session_id) return false
  return (browser_hash ?? '') === flow.browserHash
}
