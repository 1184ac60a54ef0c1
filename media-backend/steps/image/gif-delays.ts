const UNIT_MS = 10
/** Shortest delay that browsers honor. They show frames with a shorter delay for 100 ms. */
const SHOWN_MS_MIN = 20

/** Rounds delays to GIF's time unit and carries the error over to the next frame to preserve the total. */
export function gifDelays(delays_ms: readonly number[]): number[] {
  let error_ms = 0
  return delays_ms.map((delay_ms) => {
    const exact_ms = delay_ms + error_ms
    const rounded_ms = Math.max(SHOWN_MS_MIN, UNIT_MS * Math.round(exact_ms / UNIT_MS))
    error_ms = exact_ms - rounded_ms
    return rounded_ms
  })
}
