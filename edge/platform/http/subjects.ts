import { clientSubject } from './rules/client-address.ts'

/** Returns the counter name of an account; its API keys are counted separately. */
export function accountSubject(accountId: number): string {
  return `account:${accountId}`
}

/**
 * Returns the counter name of an anonymous caller, from the platform's client address alone and never
 * X-Forwarded-For.
 */
export function addressSubject(headers: Headers): string {
  return `ip:${clientSubject(headers.get('cf-connecting-ip'))}`
}
