import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { JobReport } from '../../shared/protocol/job-report.ts'
import { type ReportAnswer, reportId } from '../reports/report.ts'
import { startHeartbeat } from './heartbeat.ts'

const ACCEPTED: ReportAnswer = { status: 200, continue: true }

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** Starts a heartbeat to an edge that records reports and sends the responses that the test provides. */
function startTestHeartbeat(answer: (report: JobReport) => ReportAnswer = () => ACCEPTED) {
  const received: { report: JobReport; seconds: number }[] = []
  const start_ms = performance.now()
  const abort = vi.fn()
  const heartbeat = startHeartbeat({
    ...{ job_id: 'job', fence: 1001, started_at: new Date(), abort },
    async send(report) {
      received.push({ report, seconds: (performance.now() - start_ms) / 1000 })
      return answer(report)
    },
  })
  const reported = () =>
    received.flatMap(({ report, seconds }) =>
      report.type === 'job.progress' ? [{ ...report, seconds }] : [],
    )
  return { ...heartbeat, received, reported, abort }
}

test('reports a change once, within a second', async () => {
  const { received, reported, ...heartbeat } = startTestHeartbeat()
  await vi.advanceTimersByTimeAsync(1000)
  expect(received.map(({ report }) => report.type)).toEqual(['job.started'])
  heartbeat.progress(12.7)
  await vi.advanceTimersByTimeAsync(1000)
  heartbeat.progress(30)
  await vi.advanceTimersByTimeAsync(20_000)
  expect(reported().map((report) => report.progress)).toEqual([12, 30])
  heartbeat.stop()
})

test.each([0, 40])('repeats %s percent every 30 seconds as a new report', async (percent) => {
  const { received, reported, ...heartbeat } = startTestHeartbeat()
  heartbeat.progress(percent)
  await vi.advanceTimersByTimeAsync(10 * 60_000)
  heartbeat.stop()
  const repeated = reported().filter((report) => report.progress === percent)
  expect(new Set(repeated.map(reportId)).size).toBe(repeated.length)
  expect(repeated.length).toBeGreaterThanOrEqual(19)
  expect(repeated.length).toBeLessThanOrEqual(21)
  const gaps = received.map(({ seconds }, index) => seconds - (received[index - 1]?.seconds ?? 0))
  expect(Math.max(...gaps)).toBeLessThan(32)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(reported()).toHaveLength(repeated.length)
})

test('retries a report quickly and unchanged until it is accepted', async () => {
  let status = 503
  const { reported, ...heartbeat } = startTestHeartbeat((report) =>
    report.type === 'job.started' ? ACCEPTED : { status, continue: null },
  )
  heartbeat.progress(40)
  await vi.advanceTimersByTimeAsync(4000)
  status = 200
  await vi.advanceTimersByTimeAsync(20_000)
  heartbeat.stop()
  expect(reported().length).toBeGreaterThan(3)
  expect(new Set(reported().map(({ at }) => at)).size).toBe(1)
  expect(reported().at(-1)?.seconds).toBeLessThan(6)
})

test('aborts when the response says that the work is no longer wanted', async () => {
  const { abort, ...heartbeat } = startTestHeartbeat(() => ({ status: 409, continue: false }))
  await vi.advanceTimersByTimeAsync(1100)
  heartbeat.stop()
  expect(abort).toHaveBeenCalledWith(expect.objectContaining({ why: 'superseded' }))
})
