import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { JobReport } from '../../shared/protocol/job-report.ts'
import { type ReportAnswer, reportId } from '../reports/report.ts'
import { startHeartbeat } from './heartbeat.ts'

const TAKEN: ReportAnswer = { status: 200, continue: true }

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** A heart that beats to an edge which notes what it is told, and answers as it is bidden. */
function listen(answer: (report: JobReport) => ReportAnswer = () => TAKEN) {
  const received: { report: JobReport; seconds: number }[] = []
  const begun_ms = performance.now()
  const abort = vi.fn()
  const heartbeat = startHeartbeat({
    ...{ job_id: 'job', fence: 1001, started_at: new Date(), abort },
    async send(report) {
      received.push({ report, seconds: (performance.now() - begun_ms) / 1000 })
      return answer(report)
    },
  })
  const reported = () =>
    received.flatMap(({ report, seconds }) =>
      report.type === 'job.progress' ? [{ ...report, seconds }] : [],
    )
  return { ...heartbeat, received, reported, abort }
}

test('a change is told within a second, once', async () => {
  const { received, reported, ...heartbeat } = listen()
  await vi.advanceTimersByTimeAsync(1000)
  expect(received.map(({ report }) => report.type)).toEqual(['job.started'])
  heartbeat.progress(12.7)
  await vi.advanceTimersByTimeAsync(1000)
  heartbeat.progress(30)
  await vi.advanceTimersByTimeAsync(20_000)
  expect(reported().map((report) => report.progress)).toEqual([12, 30])
  heartbeat.stop()
})

test.each([0, 40])(
  'while it stands still at %s percent that is told every half minute, each time anew',
  async (percent) => {
    const { received, reported, ...heartbeat } = listen()
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
  },
)

test('what was not taken is told again at once, in the same words', async () => {
  let status = 503
  const { reported, ...heartbeat } = listen((report) =>
    report.type === 'job.started' ? TAKEN : { status, continue: null },
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

test('who is not wanted any more is told so by the answer', async () => {
  const { abort, ...heartbeat } = listen(() => ({ status: 409, continue: false }))
  await vi.advanceTimersByTimeAsync(200)
  heartbeat.stop()
  expect(abort).toHaveBeenCalledWith(expect.objectContaining({ why: 'superseded' }))
})
