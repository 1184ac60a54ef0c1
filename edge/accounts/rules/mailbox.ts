import { domainOf } from './email-address.ts'

/** Domains of one provider that delivers to the same mailboxes and ignores dots in their names. */
const DOTLESS: Readonly<Record<string, string>> = { 'gmail.com': 'gmail.com', 'googlemail.com': 'gmail.com' }

/**
 * Returns one text for all spellings of a mailbox: without a tag after a plus sign, and without dots where the provider
 * ignores them. Tags are removed at every domain, because most providers have them, also for domains of customers.
 * Only free credits depend on it: it never decides who signs in.
 */
export function mailboxOf(email: string): string {
  const domain = domainOf(email)
  const name = email.slice(0, email.lastIndexOf('@')).toLowerCase()
  // An address that begins with a plus sign has no other name.
  const untagged = name.replace(/(?<=.)\+.*$/, '')
  const dotless = DOTLESS[domain]
  return dotless === undefined ? `${untagged}@${domain}` : `${untagged.replaceAll('.', '')}@${dotless}`
}
