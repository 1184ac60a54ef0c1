/** A time in milliseconds. */
export interface Span {
  started_ms: number
  ended_ms: number
}

/** Returns the length of all spans together. Time in which several overlap counts once. */
export function unionMs(spans: readonly Span[]): number {
  let total = 0
  let counted_until = Number.NEGATIVE_INFINITY
  for (const { started_ms, ended_ms } of spans.toSorted((one, other) => one.started_ms - other.started_ms)) {
    total += Math.max(0, ended_ms - Math.max(started_ms, counted_until))
    counted_until = Math.max(counted_until, ended_ms)
  }
  return total
}
