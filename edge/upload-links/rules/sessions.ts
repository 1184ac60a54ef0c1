import type { JobState } from '../../jobs/rules/states.ts'
import type { Refusal } from '../../platform/errors/rules/table.ts'

/** The states of an upload session and the moves between them. Contract: Upload links, Upload session states. */
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

const MOVES: Record<UploadSessionState, readonly UploadSessionState[]> = {
  pending: ['uploading', 'expired', 'canceled'],
  // To itself: somebody begins anew; back: what came was not what may be sent.
  uploading: ['uploading', 'pending', 'processing', 'failed', 'expired', 'canceled'],
  processing: ['done', 'failed', 'canceled'],
  done: [],
  failed: [],
  expired: [],
  canceled: [],
}

/** The states from which one may come into this one. */
export function statesBefore(state: UploadSessionState): UploadSessionState[] {
  return UPLOAD_SESSION_STATES.filter((from) => MOVES[from].includes(state))
}

/** What a session's state depends on beside itself. */
export interface SessionStanding {
  status: UploadSessionState
  expires_at: number
  /** The job that was made of its file. */
  job: { status: JobState; error: string | null } | null
}

export interface SessionMove {
  status: UploadSessionState
  error: string | null
}

/** Where a session has to go by now: a link that ran out, or the end of its job; null where it stays. */
export function findDueMove({ status, expires_at, job }: SessionStanding, now: number): SessionMove | null {
  if (status === 'pending' || status === 'uploading') {
    return expires_at <= now ? { status: 'expired', error: null } : null
  }
  if (status !== 'processing' || job === null) return null
  const { status: end, error } = job
  return end === 'done' || end === 'failed' || end === 'canceled' ? { status: end, error } : null
}

export type LinkRefusal = Refusal<'upload_link_used' | 'upload_link_expired' | 'upload_link_withdrawn'>

/** Why nothing can be sent by a link; null where something can. Contract: Upload links, Link refusals. */
export function refuseLink(status: UploadSessionState, hasJob: boolean): LinkRefusal | null {
  if (status === 'pending' || status === 'uploading') return null
  if (status === 'expired') return { code: 'upload_link_expired' }
  return { code: status === 'canceled' && !hasJob ? 'upload_link_withdrawn' : 'upload_link_used' }
}
