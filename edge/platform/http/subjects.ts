import { clientSubject } from './rules/client-address.ts'

/** An account's name in the counters; its keys are counted beside it. */
export function accountSubject(accountId: number): string {
  return `account:${accountId}`
}

/** An anonymous caller's name in the counters. Only the platform's word counts, never X-Forwarded-For. */
export function addressSubject(headers: Headers): string {
  return `ip:${clientSubject(headers.get('cf-connecting-ip'))}`
}
