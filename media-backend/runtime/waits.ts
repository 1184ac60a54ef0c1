import { type Span, unionMs } from './union-ms.ts'

/** The time in which an attempt only waited. It is not charged, and time in which several waits overlap counts once. */
export interface Waits {
  /** Counts the last seconds as a wait for other jobs. */
  add(seconds: number): void
  /** Counts the last seconds as an outage of the storage. */
  addOutage(seconds: number): void
  /** Returns the time of all waits and outages. */
  seconds(): number
  outageSeconds(): number
}

export function startWaits(): Waits {
  const waits: Span[] = []
  const outages: Span[] = []
  return {
    add: (seconds) => waits.push(spanBefore(performance.now(), seconds)),
    addOutage: (seconds) => outages.push(spanBefore(performance.now(), seconds)),
    seconds: () => unionMs([...waits, ...outages]) / 1000,
    outageSeconds: () => unionMs(outages) / 1000,
  }
}

function spanBefore(ended_ms: number, seconds: number): Span {
  return { started_ms: ended_ms - seconds * 1000, ended_ms }
}
