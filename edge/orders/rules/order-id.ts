/** Without letters that are taken for others when an id is read out. */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const GROUPS = 4
const GROUP_LENGTH = 4

export const ORDER_ID_BYTES = GROUPS * GROUP_LENGTH

/** An order's id, as it is quoted to support: `O-7K3M-9QXT-2B4C-W0ZP`. @param random bytes, all used. */
export function makeOrderId(random: Uint8Array): string {
  const letters = [...random].map((byte) => LETTERS[byte % LETTERS.length]).join('')
  const groups = Array.from({ length: GROUPS }, (_, index) =>
    letters.slice(index * GROUP_LENGTH, (index + 1) * GROUP_LENGTH),
  )
  return `O-${groups.join('-')}`
}
