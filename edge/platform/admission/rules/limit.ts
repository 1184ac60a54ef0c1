/**
 * Limits how many requests an isolate handles at once. The limit follows the database and the isolate: while they are
 * slow, more requests would only wait for each other. Pure.
 */
export interface AdmissionState {
  in_flight: number
  limit: number
  /** The limit does not fall below this. */
  limit_min: number
  /** When slowness last lowered the limit. */
  lowered_at: number
}

export const LIMIT_MAX = 512
/** A request needs about four trips to the database, so it then ends within two seconds. */
export const SLOW_MS = 300
/**
 * Requests that take longer wait for the isolate itself, or for another service. Well below two seconds, because those
 * that arrive while the limit is still high wait longest.
 */
export const SLOW_REQUEST_MS = 3 * SLOW_MS
/** All requests in flight see the same slowness; it lowers the limit once. */
const LOWER_PAUSE_MS = 250
const LOWER_FACTOR = 0.75
/** Longer than a counted request takes. After this time, its client must have left. */
export const PLACE_MS_MAX = 30_000
/** Share of the limit in use above which it grows: an unused limit would let in a sudden flood. */
const USED_SHARE = 0.9
/** Quick answers per additional request. */
const RAISE_TRIPS = 8

const LIMIT_FIRST = 64

export function initialState(limit_min: number): AdmissionState {
  return { in_flight: 0, limit: Math.max(LIMIT_FIRST, limit_min), limit_min, lowered_at: 0 }
}

export function hasRoom({ in_flight, limit }: AdmissionState): boolean {
  return in_flight < Math.floor(limit)
}

/** Returns the limit after a trip to the database. It grows only while it is used. */
export function limitAfterTrip(state: AdmissionState, duration_ms: number, now: number): AdmissionState {
  if (duration_ms > SLOW_MS) return lowerLimit(state, now)
  const { in_flight, limit } = state
  if (in_flight < limit * USED_SHARE) return state
  return { ...state, limit: Math.max(limit, Math.min(LIMIT_MAX, limit + 1 / RAISE_TRIPS)) }
}

/**
 * Returns the limit after a request. Slow requests lower it too, because an isolate whose processor is busy answers
 * late although its database is quick. While few requests are in flight, a slow one waited for another service.
 */
export function limitAfterRequest(state: AdmissionState, duration_ms: number, now: number): AdmissionState {
  if (duration_ms <= SLOW_REQUEST_MS || state.in_flight < state.limit / 2) return state
  return lowerLimit(state, now)
}

function lowerLimit(state: AdmissionState, now: number): AdmissionState {
  const { limit, limit_min, lowered_at } = state
  if (now - lowered_at < LOWER_PAUSE_MS) return state
  return { ...state, limit: Math.max(limit_min, limit * LOWER_FACTOR), lowered_at: now }
}

/** Requests that are accepted even when there is no room: health and events of providers. */
const FIRST = /^\/api\/(health$|ready$|v1\/(billing\/callbacks|tg\/webhook)\/)/
/** Requests that take long by their nature and mostly wait. */
const LONG = /\/(events|export|file|upload)$|^\/api\/v1\/uploads($|\/)/

/**
 * Checks whether a request of the API takes a place.
 * @param waits true if the request asks to wait for the end of a job, which only reads can
 */
export function takesPlace(path: string, waits: boolean): boolean {
  return !FIRST.test(path) && !LONG.test(path) && !waits
}
