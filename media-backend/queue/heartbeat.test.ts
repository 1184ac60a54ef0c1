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
  const heard: { report: JobReport; seconds: number }[] = []
  const begun_ms = performance.now()
  const abort = vi.fn()
  const heartbeat = startHeartbeat({
    ...{ job_id: 'job', fence: 1001, started_at: new Date(), abort },
    async send(report) {
      heard.push({ report, seconds: (performance.now() - begun_ms) / 1000 })
      return answer(report)
    },
  })
  const told = () =>
    heard.flatMap(({ report, seconds }) => (report.type === 'job.progress' ? [{ ...report, seconds }] : []))
  return { ...heartbeat, heard, told, abort }
}

test('a change is told within a second, once', async () => {
  const { heard, told, ...heartbeat } = listen()
  await vi.advanceTimersByTimeAsync(1000)
  expect(heard.map(({ report }) => report.type)).toEqual(['job.started'])
  heartbeat.progress(12.7)
  await vi.advanceTimersByTimeAsync(1000)
  heartbeat.progress(30)
  await vi.advanceTimersByTimeAsync(20_000)
  expect(told().map((report) => report.progress)).toEqual([12, 30])
  heartbeat.stop()
})

test.each([0, 40])(
  'while it stands still at %s percent that is told every half minute, each time anew',
  async (percent) => {
    const { heard, told, ...heartbeat } = listen()
    heartbeat.progress(percent)
    await vi.advanceTimersByTimeAsync(10 * 60_000)
    heartbeat.stop()
    const repeated = told().filter((report) => report.progress === percent)
    expect(new Set(repeated.map(reportId)).size).toBe(repeated.length)
    expect(repeated.length).toBeGreaterThanOrEqual(19)
    expect(repeated.length).toBeLessThanOrEqual(21)
    const gaps = heard.map(({ seconds }, index) => seconds - (heard[index - 1]?.seconds ?? 0))
    expect(Math.max(...gaps)).toBeLessThan(32)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(told()).toHaveLength(repeated.length)
  },
)

test('what was not taken is told again at once, in the same words', async () => {
  let status = 503
  const { told, ...heartbeat } = listen((report) =>
    report.type === 'job.started' ? TAKEN : { status, continue: null },
  )
  heartbeat.progress(40)
  await vi.advanceTimersByTimeAsync(4000)
  status = 200
  await vi.advanceTimersByTimeAsync(20_000)
  heartbeat.stop()
  expect(told().length).toBeGreaterThan(3)
  expect(new Set(told().map(({ at }) => at)).size).toBe(1)
  expect(told().at(-1)?.seconds).toBeLessThan(6)
})

test('who is not wanted any more is told so by the answer', async () => {
  const { abort, ...heartbeat } = listen(() => ({ status: 409, continue: false }))
  await vi.advanceTimersByTimeAsync(200)
  heartbeat.stop()
  expect(abort).toHaveBeenCalledWith(expect.objectContaining({ why: 'superseded' }))
})
