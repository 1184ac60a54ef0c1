import { createHmac } from 'node:crypto'
import type { Deps } from '../deps.ts'
import { mailboxOf } from './rules/mailbox.ts'

type Keys = Pick<Deps['env'], 'ADDRESS_KEYS'>

/** Hashes an address in lowercase. Without the key, guessed addresses cannot be tested against a stolen table. */
export function hashAddress({ ADDRESS_KEYS: [key = ''] }: Keys, emailKey: string): string {
  return hash(key, `address ${emailKey}`)
}

/**
 * Hashes the mailbox of an address, which is the same for all of its spellings.
 * @returns one hash per key, with that of the current key first; rows of replaced keys are found by the others
 */
export function hashMailbox({ ADDRESS_KEYS }: Keys, emailKey: string): [current: string, ...older: string[]] {
  const [key = '', ...older] = ADDRESS_KEYS
  const text = `mailbox ${mailboxOf(emailKey)}`
  return [hash(key, text), ...older.map((each) => hash(each, text))]
}

function hash(key: string, text: string): string {
  return createHmac('sha256', Buffer.from(key, 'base64')).update(text).digest('hex')
}
