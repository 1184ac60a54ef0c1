const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d{1,2}))?$/i
const SCALE = 30

/**
 * Parses a decimal number from JSON into units of 10⁻³⁰, dropping any further digits. Returns null if it is
 * invalid.
 */
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

/** Checks whether a decimal number is a plausible payment amount, even in the smallest unit of a coin. */
export function isAmount(value: number | string): boolean {
  const scaled = parseDecimal(value)
  const bound = AMOUNT_MAX * 10n ** BigInt(SCALE)
  return scaled !== null && scaled > -bound && scaled < bound
}

/** Returns the share `part / whole` of `cents`. Rounds down, so money that was not received never counts. */
export function shareOf(cents: number, part: bigint, whole: bigint): number {
  if (part <= 0n || whole <= 0n) return 0
  return Number((BigInt(cents) * part) / whole)
}

/**
 * Converts an amount such as "19.90" or 19.9 to cents, dropping fractions of a cent. Throws if it is not a number.
 */
export function centsOf(value: number | string): number {
  const scaled = parseDecimal(value)
  if (scaled === null) throw new Error(`${value} is not an amount`)
  return Number((scaled * 100n) / 10n ** BigInt(SCALE))
}
