/**
 * Orders favorites: the named ones first, as named, then the others in their current order. Ignores tools
 * that are not pinned, and repetitions.
 */
export function reorder(pinned: readonly number[], named: readonly number[]): number[] {
  const first = [...new Set(named)].filter((id) => pinned.includes(id))
  return [...first, ...pinned.filter((id) => !first.includes(id))]
}
