/** Short keys that an administrator may put on a plan or pack. Specification: Price-field semantics, 3. */
export const BADGES = ['recommended', 'new', 'limited'] as const
export type Badge = (typeof BADGES)[number]
