/** Far deeper than any valid body. Deeper nesting can overflow the stack in JSON.stringify. */
export const DEPTH_MAX = 32

/** Reason that a body cannot be stored. */
export type Unstorable = 'lone_surrogate' | 'too_deep' | 'reserved_name'

/**
 * Returns the reason that a parsed JSON body cannot be stored, or null if it can. Escaped lone surrogates are valid
 * JSON, but no database can store them; copies of an object would lose a field named __proto__. Iterative, so deep nesting cannot overflow the stack here.
 */
export function findUnstorable(body: unknown): Unstorable | null {
  const pending: { value: unknown; depth: number }[] = [{ value: body, depth: 1 }]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value, depth } = next
    if (typeof value === 'string' && !value.isWellFormed()) return 'lone_surrogate'
    if (typeof value !== 'object' || value === null) continue
    if (depth > DEPTH_MAX) return 'too_deep'
    if (Object.hasOwn(value, '__proto__')) return 'reserved_name'
    const parts = Array.isArray(value) ? value : Object.entries(value).flat()
    for (const part of parts) pending.push({ value: part, depth: depth + 1 })
  }
  return null
}
