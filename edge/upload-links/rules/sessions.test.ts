import { describe, expect, test } from 'vitest'
import { JOB_STATES } from '../../jobs/rules/states.ts'
import {
  findDueTransition,
  refuseLink,
  statesBefore,
  UPLOAD_SESSION_STATES,
  type UploadSessionState,
} from './sessions.ts'

const NOW = 1000
const open = { expires_at: NOW + 1, job: null }

describe('the states of an upload session', () => {
  test.each<[UploadSessionState, UploadSessionState[]]>([
    ['pending', ['uploading']],
    ['uploading', ['pending', 'uploading']],
    ['processing', ['uploading']],
    ['done', ['processing']],
    ['failed', ['uploading', 'processing']],
    ['expired', ['pending', 'uploading']],
    ['canceled', ['pending', 'uploading', 'processing']],
  ])('%s follows only %j', (state, before) => {
    expect(statesBefore(state)).toEqual(before)
  })

  test('every due transition is an allowed one', () => {
    const jobs = [null, ...JOB_STATES.map((status) => ({ status, error: null }))]
    for (const status of UPLOAD_SESSION_STATES) {
      for (const expires_at of [NOW - 1, NOW, NOW + 1]) {
        for (const job of jobs) {
          const move = findDueTransition({ status, expires_at, job }, NOW)
          if (move !== null) expect(statesBefore(move.status)).toContain(status)
        }
      }
    }
  })
})

describe('a due transition', () => {
  test.each<[UploadSessionState, number, boolean]>([
    ['pending', NOW + 1, false],
    ['pending', NOW, true],
    ['uploading', NOW, true],
    ['processing', NOW - 1, false],
    ['done', NOW - 1, false],
    ['canceled', NOW - 1, false],
  ])('of a %s session whose link ends at %i, at 1000, is expiry: %s', (status, expires_at, expires) => {
    const move = findDueTransition({ status, expires_at, job: null }, NOW)
    expect(move).toEqual(expires ? { status: 'expired', error: null } : null)
  })

  test.each([
    ['queued', null],
    ['processing', null],
    ['done', 'done'],
    ['failed', 'failed'],
    ['canceled', 'canceled'],
  ] as const)('of a session whose job is %s is to %s', (status, end) => {
    const job = { status, error: status === 'failed' ? 'no video' : null }
    const move = findDueTransition({ ...open, status: 'processing', job }, NOW)
    expect(move).toEqual(end === null ? null : { status: end, error: job.error })
  })
})

describe('a link', () => {
  test.each<[UploadSessionState, boolean, string | null]>([
    ['pending', false, null],
    ['uploading', false, null],
    ['processing', true, 'upload_link_used'],
    ['done', true, 'upload_link_used'],
    ['failed', true, 'upload_link_used'],
    ['failed', false, 'upload_link_used'],
    ['expired', false, 'upload_link_expired'],
    ['canceled', false, 'upload_link_withdrawn'],
    ['canceled', true, 'upload_link_used'],
  ])('of a session that is %s (with a job: %s) is refused with %s', (status, hasJob, code) => {
    expect(refuseLink(status, hasJob)?.code ?? null).toBe(code)
  })
})
