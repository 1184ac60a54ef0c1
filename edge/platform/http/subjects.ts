import { blockOf, clientSubject } from './rules/client-address.ts'

/** Returns the counter name for an account. Its API keys are counted separately. */
export function accountSubject(accountId: number): string {
  return `account:${accountId}`
}

/**
 * Returns the counter name for an anonymous caller. Uses only the client address from the platform, never
 * X-Forwarded-For.
 */
export function addressSubject(headers: Headers): string {
  return `ip:${clientSubject(headers.get('cf-connecting-ip'))}`
}

/**
 * Returns the counter name for the /48 of an IPv6 caller; null for others.
 * @param subject from addressSubject
 */
export function blockSubject(subject: string): string | null {
  const block = blockOf(subject.slice('ip:'.length))
  return block === null ? null : `ip:${block}`
}
