import type { JobReport } from '../../shared/protocol/job-report.ts'
import type { ReportAnswer } from '../reports/report.ts'
import { WorkStopped } from '../runtime/failure.ts'
import { errorText, log } from '../runtime/log.ts'

/** Jobs that end sooner send only their final report. */
const FIRST_BEAT_MS = 1000
/** Slightly less than the promised maximum delay of one second, because sending also takes time. */
const BEAT_MS = 800
/** Unchanged progress is sent again, because the edge treats a job without reports as lost. */
const REPEAT_MS = 30_000

export interface Heartbeat {
  /** Reports the start soon, if it is held back. */
  begin(): void
  /** Sets the progress in percent. The next beat sends it if it has changed; unchanged progress is repeated. */
  progress(percent: number): void
  stop(): void
}

interface HeartbeatParts {
  job_id: string
  fence: number
  started_at: Date
  /** Time to the report of the start, in milliseconds; it is held back while the job may be handed over. */
  first_ms?: number | undefined
  send(report: JobReport): Promise<ReportAnswer>
  /** Called once when the edge no longer wants this work. */
  abort(reason: WorkStopped): void
}

/**
 * Reports in the background that the job has started, and then its progress: about every second while it changes,
 * and every 30 s otherwise. A lost beat is not retried; the next one replaces it. A response of `continue: false`
 * aborts the work.
 */
export function startHeartbeat(parts: HeartbeatParts): Heartbeat {
  const { job_id, fence, started_at, first_ms = FIRST_BEAT_MS, send, abort } = parts
  let started_accepted = false
  let percent = 0
  let accepted_percent = 0
  let latest: JobReport | null = null
  let reported_ms = 0
  let stopped = false
  let is_held = first_ms > FIRST_BEAT_MS
  let timer = setTimeout(beat, first_ms)

  async function beat(): Promise<void> {
    is_held = false
    const report = nextReport()
    if (report !== null) await deliver(report)
    if (!stopped) timer = setTimeout(beat, BEAT_MS)
  }

  function nextReport(): JobReport | null {
    if (!started_accepted) return { type: 'job.started', job_id, fence, at: started_at.toISOString() }
    const is_accepted = percent === accepted_percent
    if (is_accepted && performance.now() - reported_ms < REPEAT_MS) return null
    // Until a report is accepted, every repetition must be identical.
    if (!is_accepted && latest?.type === 'job.progress' && latest.progress === percent) return latest
    latest = { type: 'job.progress', job_id, fence, at: new Date().toISOString(), progress: percent }
    return latest
  }

  async function deliver(report: JobReport): Promise<void> {
    reported_ms = performance.now()
    try {
      const answer = await send(report)
      if (answer.continue === false && !stopped) abort(new WorkStopped('superseded'))
      if (answer.status >= 300) return
      if (report.type === 'job.started') started_accepted = true
      if (report.type === 'job.progress') accepted_percent = report.progress
    } catch (error) {
      log('heartbeat_lost', { error: errorText(error) })
    }
  }

  return {
    begin() {
      if (!is_held || stopped) return
      is_held = false
      clearTimeout(timer)
      timer = setTimeout(beat, FIRST_BEAT_MS)
    },
    progress(value) {
      percent = Math.max(percent, Math.min(99, Math.floor(value)))
    },
    stop() {
      stopped = true
      clearTimeout(timer)
    },
  }
}
