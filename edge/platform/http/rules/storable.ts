/** Deeper than any body that means something; deep ones overflow the stack of who writes them as JSON. */
const DEPTH_MAX = 32

/**
 * Why a parsed JSON body cannot be kept, as words that follow "the body"; null where it can.
 * JSON can carry half of a character (an escaped lone surrogate), which no database takes.
 * It walks by a list of its own, so that a deep body cannot overflow the stack here either.
 */
export function findUnstorable(body: unknown): string | null {
  const pending: { value: unknown; depth: number }[] = [{ value: body, depth: 1 }]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value, depth } = next
    if (typeof value === 'string' && !value.isWellFormed()) return 'holds a text with half a character in it'
    if (typeof value !== 'object' || value === null) continue
    if (depth > DEPTH_MAX) return `is nested more than ${DEPTH_MAX} levels deep`
    const parts = Array.isArray(value) ? value : Object.entries(value).flat()
    for (const part of parts) pending.push({ value: part, depth: depth + 1 })
  }
  return null
}
