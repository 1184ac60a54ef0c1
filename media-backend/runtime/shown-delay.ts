/** Browsers show a frame for 100 ms if its delay is 10 ms or less. */
const [TOO_SHORT_MS, SHOWN_MS] = [10, 100]

/** Returns how long browsers show a frame of an animation, in milliseconds. */
export function shownDelay(delay_ms: number): number {
  return delay_ms <= TOO_SHORT_MS ? SHOWN_MS : delay_ms
}
