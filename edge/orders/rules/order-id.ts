/** Excludes letters that are easily confused with other characters. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const GROUPS = 4
const GROUP_LENGTH = 4

export const ORDER_ID_BYTES = GROUPS * GROUP_LENGTH

/**
 * Formats an order id that is easy to quote to support, such as `O-7K3M-9QXT-2B4C-W0ZP`.
 * @param random random bytes, all of which are used.
 */
export function makeOrderId(random: Uint8Array): string {
  const characters = [...random].map((byte) => ALPHABET[byte % ALPHABET.length]).join('')
  const groups = Array.from({ length: GROUPS }, (_, index) =>
    characters.slice(index * GROUP_LENGTH, (index + 1) * GROUP_LENGTH),
  )
  return `O-${groups.join('-')}`
}
