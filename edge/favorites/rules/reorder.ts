/**
 * Orders favorites: first the named ones in the order given, then the others in their current order. Ignores
 * duplicates and tools that are not pinned.
 */
export function reorder(pinned: readonly number[], named: readonly number[]): number[] {
  const first = [...new Set(named)].filter((id) => pinned.includes(id))
  return [...first, ...pinned.filter((id) => !first.includes(id))]
}
