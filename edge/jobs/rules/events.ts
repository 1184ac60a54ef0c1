import { isOver, type JobState } from './states.ts'

/** What an event stream knows about a job. */
export interface JobSnapshot {
  /** All states of the job, numbered from 1 without gaps, oldest first. */
  history: readonly { number: number; status: JobState; at: number }[]
  progress: number
}

/** The last position in a job's history that a client has received. */
export interface Place {
  transition: number
  progress: number
}

export const BEGINNING: Place = { transition: 0, progress: 0 }

export type JobEvent = { place: Place } & (
  | { name: 'status'; status: JobState; at: number }
  | { name: 'progress'; progress: number }
)

/** Formats an event id, from which a client can resume. */
export function idOf({ transition, progress }: Place): string {
  return `${transition}.${progress}`
}

/** Parses an event id. Returns the beginning if the id is missing or invalid. */
export function placeOf(id: string | null): Place {
  const [, transition, progress] = /^(\d{1,6})\.(\d{1,3})$/.exec(id?.trim() ?? '') ?? []
  return transition === undefined ? BEGINNING : { transition: Number(transition), progress: Number(progress) }
}

/** Returns the events after a position: every state transition, then the current progress. */
export function eventsAfter({ history, progress }: JobSnapshot, seen: Place): JobEvent[] {
  const states = history
    .filter(({ number }) => number > seen.transition)
    .map(({ number, status, at }): JobEvent => {
      return { name: 'status', status, at, place: { transition: number, progress: 0 } }
    })
  const last = history.at(-1)
  if (last?.status !== 'processing') return states
  const reported = last.number > seen.transition ? 0 : seen.progress
  if (progress <= reported) return states
  return [...states, { name: 'progress', progress, place: { transition: last.number, progress } }]
}

/** Checks whether a client at this position has received the last event. */
export function isEnd({ history }: JobSnapshot, { transition }: Place): boolean {
  const last = history.at(-1)
  return last !== undefined && isOver(last.status) && transition >= last.number
}

const QUICK_PAUSE_MS = 250
const SLOW_PAUSE_MS = 1000
const QUICK_FOR_MS = 20_000

/** Returns the pause before the next poll. Jobs that have not changed recently are polled less often. */
export function pauseAfter(silence_ms: number): number {
  return silence_ms < QUICK_FOR_MS ? QUICK_PAUSE_MS : SLOW_PAUSE_MS
}
