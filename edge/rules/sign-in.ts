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
  | { kind: 'refuse'; reason: 'address_not_verified' | 'other_identity' }

/**
 * Which account an identity opens: the one it is linked to; at the first sign-in the one with its verified
 * address; otherwise a new one. Specification: Accounts and sign-in, rule 5.
 */
export function decideSignIn(
  identity: Identity,
  linked: KnownAccount | undefined,
  sameAddress: KnownAccount | undefined,
): SignIn {
  if (linked) return { kind: 'enter', account_id: linked.id }
  if (identity.email === null || !identity.email_verified) {
    return { kind: 'refuse', reason: 'address_not_verified' }
  }
  if (sameAddress === undefined) return { kind: 'create', email: identity.email }
  if (sameAddress.idp_subject !== null) return { kind: 'refuse', reason: 'other_identity' }
  // Somebody may have opened it with another person's address, to share what that person brings later.
  return { kind: 'link', account_id: sameAddress.id, take_over: !sameAddress.email_verified }
}

const PATH_LENGTH_MAX = 2048

/** A path on this site, with its query. What a browser could read as another site's address is not one. */
export function isSitePath(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: browsers drop tabs and line ends from addresses
  return text.length <= PATH_LENGTH_MAX && /^\/(?![/\\])[^\\\u0000-\u0020\u007f]*$/.test(text)
}
