import { isOver, type JobState } from './states.ts'

/** What a stream of events knows of a job. */
export interface JobSnapshot {
  /** Every state it came to, numbered from 1 without a gap, the oldest first. */
  history: readonly { number: number; status: JobState; at: number }[]
  progress: number
}

/** The place in a job's life up to which a client was told. */
export interface Place {
  move: number
  progress: number
}

export const BEGINNING: Place = { move: 0, progress: 0 }

export type JobEvent = { place: Place } & (
  | { name: 'status'; status: JobState; at: number }
  | { name: 'progress'; progress: number }
)

/** An event's id, by which a client goes on where it was cut off. */
export function idOf({ move, progress }: Place): string {
  return `${move}.${progress}`
}

/** @returns the beginning for no id, and for what was never one. */
export function placeOf(id: string | null): Place {
  const [, move, progress] = /^(\d{1,6})\.(\d{1,3})$/.exec(id?.trim() ?? '') ?? []
  return move === undefined ? BEGINNING : { move: Number(move), progress: Number(progress) }
}

/** What happened after a place: each state the job came to, none left out; then how far it is now. */
export function eventsAfter({ history, progress }: JobSnapshot, seen: Place): JobEvent[] {
  const states = history
    .filter(({ number }) => number > seen.move)
    .map(({ number, status, at }): JobEvent => {
      return { name: 'status', status, at, place: { move: number, progress: 0 } }
    })
  const last = history.at(-1)
  if (last?.status !== 'processing') return states
  const told = last.number > seen.move ? 0 : seen.progress
  if (progress <= told) return states
  return [...states, { name: 'progress', progress, place: { move: last.number, progress } }]
}

/** Whether a client that was told up to this place has nothing more to hear. */
export function isEnd({ history }: JobSnapshot, { move }: Place): boolean {
  const last = history.at(-1)
  return last !== undefined && isOver(last.status) && move >= last.number
}

const QUICK_PAUSE_MS = 250
const SLOW_PAUSE_MS = 1000
const QUICK_FOR_MS = 20_000

/** How long until the job is looked at again: a job that nothing was heard of for a while can wait. */
export function pauseAfter(silence_ms: number): number {
  return silence_ms < QUICK_FOR_MS ? QUICK_PAUSE_MS : SLOW_PAUSE_MS
}
