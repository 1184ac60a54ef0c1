import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { JobFailure } from '../runtime/failure.ts'
import { startWaits } from '../runtime/waits.ts'
import { type JobAttempts, startAttempts } from '../testing/attempt-jobs.ts'
import { slowVideo } from '../testing/clips.ts'
import { countProcesses } from '../testing/processes.ts'
import { waitFor } from '../testing/wait.ts'
import { stepSecondsMax, withTimeLimit } from './time-limit.ts'

const frames = (seconds: number, width = 1920, height = 1080) => ({
  ...{ seconds, frames_per_second: 30 },
  ...{ width, height },
})
const pass = (seconds: number) => frames(seconds)

describe('time limit of steps', () => {
  const small = { video: frames(2, 640, 360), audio_seconds: 2, bytes: 500_000 }

  test('is minutes for a small plan, far below the limit of the job', () => {
    expect(stepSecondsMax({ passes: [frames(2, 640, 360)] }, small)).toBeLessThan(400)
    expect(stepSecondsMax({}, small)).toBeLessThan(320)
  })

  test.each([
    ['drawn frames', { passes: [pass(10)] }, small],
    ['a longer input', {}, { ...small, video: frames(600) }],
    ['more audio', {}, { ...small, audio_seconds: 3600 }],
    ['a larger file', {}, { ...small, bytes: 100_000_000 }],
  ])('grows with %s', (_name, plan, workload) => {
    expect(stepSecondsMax(plan, workload)).toBeGreaterThan(stepSecondsMax({}, small) + 300)
  })

  test('allows at least a tenth of real-time speed for all codecs', () => {
    for (const seconds of [1, 60, 3600]) {
      const workload = { video: pass(seconds), audio_seconds: seconds, bytes: 1000 }
      expect(stepSecondsMax({ passes: [pass(seconds)] }, workload)).toBeGreaterThan(10 * seconds)
    }
  })
})

describe('a job whose steps never end', () => {
  let attempts: JobAttempts
  beforeAll(async () => {
    attempts = await startAttempts({ JOB_SECONDS_MAX: '1000000' })
  })
  afterAll(() => attempts.close())

  test('fails at the limit of its plan, long before the limit of the job', async () => {
    const input = await slowVideo()
    const spec = { service_slug: 'video', operation_key: 'compress', params: { preset: 'slow' } } as const
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const ending = attempts.attempt(spec, { input })
      await waitFor('the encode', async () => {
        return (await countProcesses('libx264', attempts.work_directory)) > 0
      })
      await vi.advanceTimersByTimeAsync(7200 * 1000)
      expect(await ending).toMatchObject({ kind: 'failed', error_code: 'time_limit' })
    } finally {
      vi.useRealTimers()
    }
  })
})

test('a job that cannot end within the limit fails before its steps', async () => {
  const attempts = await startAttempts({ JOB_SECONDS_MAX: '20' })
  const spec = { service_slug: 'video', operation_key: 'compress', params: { preset: 'slow' } } as const
  const ending = await attempts.attempt(spec, { input: await slowVideo() })
  await attempts.close()
  expect(ending).toMatchObject({
    ...{ kind: 'failed', error_code: 'time_limit' },
    reason: { name: 'run_too_long', facts: { limit_seconds: 20, seconds: expect.any(Number) } },
  })
})

describe('work under a time limit', () => {
  const untilAborted = (signal: AbortSignal) =>
    new Promise<never>((_resolve, reject) =>
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }),
    )

  test('ends with time_limit when the limit is reached', async () => {
    const ended = withTimeLimit(0.01, new AbortController(), untilAborted)
    await expect(ended).rejects.toBeInstanceOf(JobFailure)
    await expect(ended).rejects.toMatchObject({ error_code: 'time_limit' })
  })

  test('ends with the reason of the signal it was given', async () => {
    const controller = new AbortController()
    const ended = withTimeLimit(60, controller, untilAborted)
    controller.abort(new Error('canceled'))
    await expect(ended).rejects.toThrow('canceled')
  })

  test('does not count outages of the storage', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    onTestFinished(() => {
      vi.useRealTimers()
    })
    const waits = startWaits()
    const { signal } = new AbortController()
    let is_over = false
    const ended = withTimeLimit(60, { signal, waits }, untilAborted).finally(() => {
      is_over = true
    })
    const expected = expect(ended).rejects.toBeInstanceOf(JobFailure)
    await vi.advanceTimersByTimeAsync(55_000)
    waits.addOutage(50)
    await vi.advanceTimersByTimeAsync(54_000)
    expect(is_over).toBe(false)
    await vi.advanceTimersByTimeAsync(1000)
    await expected
  })

  test('returns the result of the work', async () => {
    expect(await withTimeLimit(60, new AbortController(), async () => 7)).toBe(7)
  })
})

test('does not end work at once whose limit is longer than a timer can be', async () => {
  const { signal } = new AbortController()
  await withTimeLimit(2_883_135, { signal }, async (limited) => {
    await new Promise((resolve) => setTimeout(resolve, 20))
    limited.throwIfAborted()
  })
})
