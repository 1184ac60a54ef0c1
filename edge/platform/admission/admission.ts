import { hasRoom, initialState, limitAfterRequest, limitAfterTrip, PLACE_MS_MAX } from './rules/limit.ts'

/** Counts the requests in flight of one isolate and decides whether it accepts another one. */
export interface Admission {
  /** Returns the place of an accepted request; null if there is no room. */
  enter(): symbol | null
  /** Frees the place of a request that has ended. */
  leave(place: symbol): void
  /** Records how long the database took for an answer. */
  noteTrip(duration_ms: number): void
}

/** @param limit_min number of requests that are always accepted */
export function openAdmission(limit_min: number): Admission {
  let state = initialState(limit_min)
  /** When each place was taken, oldest first. */
  const places = new Map<symbol, number>()
  const count = () => ({ ...state, in_flight: places.size })

  /** Frees the places of canceled requests, which never end. */
  function freeAbandoned(): void {
    const before = Date.now() - PLACE_MS_MAX
    for (const [place, since] of places) {
      if (since > before) return
      places.delete(place)
    }
  }

  return {
    enter() {
      if (!hasRoom(count())) freeAbandoned()
      if (!hasRoom(count())) return null
      const place = Symbol('request')
      places.set(place, Date.now())
      return place
    },
    leave(place) {
      const since = places.get(place)
      if (since === undefined) return
      const now = Date.now()
      state = limitAfterRequest(count(), now - since, now)
      places.delete(place)
    },
    noteTrip(duration_ms) {
      state = limitAfterTrip(count(), duration_ms, Date.now())
    },
  }
}
