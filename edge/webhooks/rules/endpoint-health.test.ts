import { describe, expect, test } from 'vitest'
import { FAILING_MS_MAX, judgeEndpoint } from './endpoint-health.ts'
import type { EventType } from './events.ts'

const NOW = 1_800_000_000_000

interface Case {
  type?: EventType
  response_status: number | null
  status: 'pending' | 'delivered' | 'failed'
  failing_ms?: number
}

function judge({ type = 'job.done', response_status, status, failing_ms }: Case) {
  const failing_since = failing_ms === undefined ? null : NOW - failing_ms
  return judgeEndpoint({ type, failing_since }, { response_status, status }, NOW)
}

describe('an attempt at an endpoint', () => {
  test.each<[string, Case]>([
    ['healthy', { response_status: 204, status: 'delivered', failing_ms: FAILING_MS_MAX }],
    ['failing', { response_status: 500, status: 'pending' }],
    ['failing', { response_status: null, status: 'failed' }],
    ['failing', { response_status: 500, status: 'failed', failing_ms: FAILING_MS_MAX - 1 }],
    // The delivery still has attempts left.
    ['failing', { response_status: 500, status: 'pending', failing_ms: 2 * FAILING_MS_MAX }],
    ['disable_failing', { response_status: 500, status: 'failed', failing_ms: FAILING_MS_MAX }],
    ['disable_failing', { response_status: null, status: 'failed', failing_ms: FAILING_MS_MAX }],
    ['disable_gone', { response_status: 410, status: 'failed' }],
    ['ignore', { type: 'test', response_status: 410, status: 'failed' }],
    ['ignore', { type: 'test', response_status: 204, status: 'delivered', failing_ms: 1 }],
    ['ignore', { type: 'test', response_status: null, status: 'failed', failing_ms: FAILING_MS_MAX }],
  ])('means %s for %j', (verdict, attempt) => {
    expect(judge(attempt)).toBe(verdict)
  })
})
