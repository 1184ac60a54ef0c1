/** What is known of a running attempt without the database. Losing it is harmless: the next report restores it. */
export interface RunningAttempt {
  /** The latest attempt that the database has confirmed. */
  fence: number
  progress: number
  /** Time of its last report. */
  heard_at: number
  /** When the database last confirmed that the job is open. */
  checked_at: number
  /** When this was last written to disk. */
  stored_at: number
}

/** A progress report, reduced to what the store keeps. */
export interface Beat {
  fence: number
  progress: number
}

/** `unknown`: only the database can decide. The other verdicts are those of judgeReport. */
export type BeatVerdict = 'accept' | 'superseded' | 'unknown'

/** Limits how long an attempt goes on after its job has ended, if the message that stops it is lost. */
export const CHECK_MS = 60_000
/** After a restart of the store, a report time may be this much too old. Much less than a job may be silent. */
export const STORE_MS = 30_000
/** Longer than a job may be silent; an attempt that has ended is forgotten after this time. */
export const FORGET_MS = 10 * 60_000

/** Decides whether a progress report counts. A report of an attempt that the database has not confirmed is unknown. */
export function judgeBeat(known: RunningAttempt | undefined, beat: Beat, now: number): BeatVerdict {
  if (known === undefined || beat.fence > known.fence || now - known.checked_at > CHECK_MS) return 'unknown'
  return beat.fence < known.fence ? 'superseded' : 'accept'
}

/** Applies an accepted report. Progress never decreases, because reports can arrive in another order. */
export function applyBeat(known: RunningAttempt, { progress }: Beat, now: number): RunningAttempt {
  const heard_at = Math.max(known.heard_at, now)
  return { ...known, progress: Math.max(known.progress, progress), heard_at }
}

/** Applies a report that the database has confirmed. A new attempt starts its progress again. */
export function confirmBeat(known: RunningAttempt | undefined, beat: Beat, now: number): RunningAttempt {
  if (known === undefined || beat.fence > known.fence)
    return { ...beat, heard_at: now, checked_at: now, stored_at: 0 }
  return beat.fence < known.fence ? known : { ...applyBeat(known, beat, now), checked_at: now }
}

/** Checks whether a state must be written to disk now. */
export function isStoreDue({ heard_at, stored_at }: RunningAttempt): boolean {
  return heard_at - stored_at >= STORE_MS
}
