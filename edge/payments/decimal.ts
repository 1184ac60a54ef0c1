const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d{1,2}))?$/i
const SCALE = 30

/** A decimal number, as JSON writes it, in units of 10⁻³⁰; null where it is none. Digits beyond are dropped. */
export function parseDecimal(value: number | string): bigint | null {
  const match = DECIMAL.exec(String(value).trim())
  if (match === null) return null
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match
  const shift = SCALE - fraction.length + Number(exponent)
  const digits = BigInt(whole + fraction)
  const scaled = shift >= 0 ? digits * 10n ** BigInt(shift) : digits / 10n ** BigInt(-shift)
  return sign === '-' ? -scaled : scaled
}

const AMOUNT_MAX = 10n ** 12n

/** Whether it is a decimal number of a size that a payment can have, also in the smallest of coins. */
export function isAmount(value: number | string): boolean {
  const scaled = parseDecimal(value)
  const bound = AMOUNT_MAX * 10n ** BigInt(SCALE)
  return scaled !== null && scaled > -bound && scaled < bound
}

/** Of `cents`, the share that `part` is of `whole`, rounded down: what was not received is never counted. */
export function shareOf(cents: number, part: bigint, whole: bigint): number {
  if (part <= 0n || whole <= 0n) return 0
  return Number((BigInt(cents) * part) / whole)
}

/** "19.90" and 19.9 are 1990; fractions of a cent are dropped. Throws where it is no number. */
export function centsOf(value: number | string): number {
  const scaled = parseDecimal(value)
  if (scaled === null) throw new Error(`${value} is no amount`)
  return Number((scaled * 100n) / 10n ** BigInt(SCALE))
}
