/** How the size of a file changed. */
export interface SizeChange {
  kind: 'smaller' | 'larger' | 'same'
  bytes: number
  /** Part of the size before. */
  fraction: number
}

/** Compares sizes in bytes. A change of less than half a percent counts as none. */
export function compareSizes(before: number, after: number): SizeChange {
  const bytes = Math.abs(before - after)
  const fraction = before > 0 ? bytes / before : 0
  if (fraction < 0.005) return { kind: 'same', bytes, fraction }
  return { kind: after < before ? 'smaller' : 'larger', bytes, fraction }
}
