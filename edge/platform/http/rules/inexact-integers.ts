type Path = (string | number)[]

/** Numbers with fewer digits are exact. */
const MANY_DIGITS = /\d{16}/
const INTEGER = /^-?\d+$/

/** Parses a value of a JSON text. The runtime passes the text of a number, which the types do not know yet. */
type Reviver = (key: string, value: unknown, context: { source?: string }) => unknown

/**
 * Finds an integer that a number cannot hold, such as 9007199254740993, which would be stored as 9007199254740992.
 * @param text valid JSON
 * @returns its path; null if there is none
 */
export function findInexactInteger(text: string): Path | null {
  if (!MANY_DIGITS.test(text)) return null
  const revive: Reviver = (_key, value, { source = '' }) =>
    typeof value === 'number' && INTEGER.test(source) && String(value) !== source && value !== 0
      ? BigInt(source)
      : value
  const pending: { value: unknown; path: Path }[] = [
    { value: JSON.parse(text, revive as (key: string, value: unknown) => unknown), path: [] },
  ]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value, path } = next
    if (typeof value === 'bigint') return path
    if (typeof value !== 'object' || value === null) continue
    const parts: [string | number, unknown][] = Array.isArray(value)
      ? [...value.entries()]
      : Object.entries(value)
    for (const [name, part] of parts) pending.push({ value: part, path: [...path, name] })
  }
  return null
}
