type Path = (string | number)[]

/** Matches texts that can contain an inexact integer, which has at least 16 digits or a large exponent. */
const LARGE = /\d[\d.]{15}|e\+?\d{3}/i
const NUMBER = /^-?(\d+)(?:\.(\d*))?(?:e([+-]?\d+))?$/i

/** Takes the place of an inexact integer while its path is searched. */
const INEXACT = Symbol('inexact integer')

/** Parses a value of a JSON text. The runtime passes the text of a number, which the types do not know yet. */
type Reviver = (key: string, value: unknown, context: { source?: string }) => unknown

/**
 * Finds an integer that a number cannot hold, such as 9007199254740993, which would be stored as 9007199254740992.
 * Compares texts, because a stranger's integer may have a million digits.
 * @param text valid JSON
 * @returns its path; null if there is none
 */
export function findInexactInteger(text: string): Path | null {
  if (!LARGE.test(text)) return null
  const revive: Reviver = (_key, value, { source = '' }) => (isInexact(value, source) ? INEXACT : value)
  const pending: { value: unknown; path: Path }[] = [
    { value: JSON.parse(text, revive as (key: string, value: unknown) => unknown), path: [] },
  ]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value, path } = next
    if (value === INEXACT) return path
    if (typeof value !== 'object' || value === null) continue
    const parts: [string | number, unknown][] = Array.isArray(value)
      ? [...value.entries()]
      : Object.entries(value)
    for (const [name, part] of parts) pending.push({ value: part, path: [...path, name] })
  }
  return null
}

/** Checks whether a large integer is written back with other digits than those of its source, or not at all. */
function isInexact(value: unknown, source: string): boolean {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return false
  if (!Number.isInteger(value)) return !Number.isFinite(value)
  const written = String(value)
  return written !== source && normalize(written) !== normalize(source)
}

/** Returns the digits of a number without zeros at either end, and the exponent of the last one. */
function normalize(source: string): string {
  const [, whole = '', fraction = '', exponent = '0'] = NUMBER.exec(source) ?? []
  const digits = (whole + fraction).replace(/^0+/, '')
  const end = lastNonZero(digits) + 1
  return `${digits.slice(0, end)}e${Number(exponent) - fraction.length + digits.length - end}`
}

/** A pattern for zeros at the end would start again at every zero. */
function lastNonZero(digits: string): number {
  let index = digits.length - 1
  while (digits[index] === '0') index--
  return index
}
