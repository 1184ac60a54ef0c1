import type { JobState } from '../../jobs/rules/states.ts'
import type { Refusal } from '../../platform/errors/rules/table.ts'

/** The states and transitions of an upload session. Contract: Upload links, Upload session states. */
export const UPLOAD_SESSION_STATES = [
  'pending',
  'uploading',
  'processing',
  'done',
  'failed',
  'expired',
  'canceled',
] as const
export type UploadSessionState = (typeof UPLOAD_SESSION_STATES)[number]

const TRANSITIONS: Record<UploadSessionState, readonly UploadSessionState[]> = {
  pending: ['uploading', 'expired', 'canceled'],
  // `uploading` again: another upload starts. Back to `pending`: the file was refused.
  uploading: ['uploading', 'pending', 'processing', 'failed', 'expired', 'canceled'],
  processing: ['done', 'failed', 'canceled'],
  done: [],
  failed: [],
  expired: [],
  canceled: [],
}

/** Returns the states from which a session can move to this state. */
export function statesBefore(state: UploadSessionState): UploadSessionState[] {
  return UPLOAD_SESSION_STATES.filter((from) => TRANSITIONS[from].includes(state))
}

/** The facts that determine a session's state. */
export interface SessionStanding {
  status: UploadSessionState
  expires_at: number
  /** The job created from the file. */
  job: { status: JobState; error: string | null } | null
}

export interface SessionTransition {
  status: UploadSessionState
  error: string | null
}

/** Returns a session's due transition because its link has expired or its job has ended; null if none is due. */
export function findDueTransition(
  { status, expires_at, job }: SessionStanding,
  now: number,
): SessionTransition | null {
  if (status === 'pending' || status === 'uploading') {
    return expires_at <= now ? { status: 'expired', error: null } : null
  }
  if (status !== 'processing' || job === null) return null
  const { status: end, error } = job
  return end === 'done' || end === 'failed' || end === 'canceled' ? { status: end, error } : null
}

export type LinkRefusal = Refusal<'upload_link_used' | 'upload_link_expired' | 'upload_link_withdrawn'>

/** Returns the reason that a link does not accept a file, or null if it does. Contract: Upload links, Link refusals. */
export function refuseLink(status: UploadSessionState, hasJob: boolean): LinkRefusal | null {
  if (status === 'pending' || status === 'uploading') return null
  if (status === 'expired') return { code: 'upload_link_expired' }
  return { code: status === 'canceled' && !hasJob ? 'upload_link_withdrawn' : 'upload_link_used' }
}
