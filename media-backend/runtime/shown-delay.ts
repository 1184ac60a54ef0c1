/** Browsers show frames with a delay of 10 ms or less for 100 ms. */
const [TOO_SHORT_MS, SHOWN_MS] = [10, 100]

/** Returns how long browsers show a frame of an animation. */
export function shownDelay(delay_ms: number): number {
  return delay_ms <= TOO_SHORT_MS ? SHOWN_MS : delay_ms
}
