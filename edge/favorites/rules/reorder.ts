/**
 * The order of pins after a person named some of them: these first, as named; the others behind, as they
 * were. What is not pinned is passed over, and so is a name that comes again.
 */
export function reorder(pinned: readonly number[], named: readonly number[]): number[] {
  const first = [...new Set(named)].filter((id) => pinned.includes(id))
  return [...first, ...pinned.filter((id) => !first.includes(id))]
}
