import type { Deps } from '../deps.ts'
import { isDisposableDomain } from './disposable-domains.ts'
import {
  domainOf,
  isAcceptable,
  reachByHost,
  reachByMx,
  type Verdict,
  verdictAtSight,
  verdictOfReach,
} from './rules/email-address.ts'

/**
 * Checks whether an email address can receive mail. Queries only name servers, so it does not reveal whether an
 * account exists.
 */
export async function judgeEmail({ dns }: Pick<Deps, 'dns'>, email: string): Promise<Verdict> {
  const verdict = verdictAtSight(email, isDisposableDomain)
  if (verdict !== null) return verdict
  const domain = domainOf(email)
  const reach = reachByMx(await dns.resolve(domain, 'MX'))
  if (reach !== null) return verdictOfReach(reach)
  return verdictOfReach(
    reachByHost(await Promise.all([dns.resolve(domain, 'A'), dns.resolve(domain, 'AAAA')])),
  )
}

/** Returns the verdict on an email address. Contract: Accounts, Email check. */
export async function checkEmail(deps: Pick<Deps, 'dns'>, email: string) {
  const verdict = await judgeEmail(deps, email)
  return { acceptable: isAcceptable(verdict), verdict }
}
