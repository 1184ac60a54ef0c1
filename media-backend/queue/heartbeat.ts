import type { JobReport } from '../../shared/protocol/job-report.ts'
import type { ReportAnswer } from '../reports/report.ts'
import { WorkStopped } from '../runtime/failure.ts'
import { errorText, log } from '../runtime/log.ts'

/** Jobs that end sooner than this tell nothing but their end. */
const FIRST_BEAT_MS = 150
/** Somewhat less than the second after which a change is to be known: telling takes its time too. */
const BEAT_MS = 800
/** A percent that stands still is told again: the edge takes a job that says nothing for long as lost. */
const REPEAT_MS = 30_000

export interface Heartbeat {
  /** Notes the percent done; it is sent with the next beat if it changed, and again while it stands still. */
  progress(percent: number): void
  stop(): void
}

interface HeartbeatParts {
  job_id: string
  fence: number
  started_at: Date
  send(report: JobReport): Promise<ReportAnswer>
  /** Called once with the reason when the edge doesn't want this work any more. */
  abort(reason: WorkStopped): void
}

/**
 * Tells the edge in the background that the job has started and how far it is: about once a second while that
 * changes, and every half minute while it doesn't. A beat that gets lost is no loss: the next one follows.
 * `continue: false` ends the work.
 */
export function startHeartbeat({ job_id, fence, started_at, send, abort }: HeartbeatParts): Heartbeat {
  let started_accepted = false
  let percent = 0
  let accepted_percent = 0
  let latest: JobReport | null = null
  let reported_ms = 0
  let stopped = false
  let timer = setTimeout(beat, FIRST_BEAT_MS)

  async function beat(): Promise<void> {
    const report = nextReport()
    if (report !== null) await deliver(report)
    if (!stopped) timer = setTimeout(beat, BEAT_MS)
  }

  function nextReport(): JobReport | null {
    if (!started_accepted) return { type: 'job.started', job_id, fence, at: started_at.toISOString() }
    const is_accepted = percent === accepted_percent
    if (is_accepted && performance.now() - reported_ms < REPEAT_MS) return null
    // One report may be sent several times until it is taken, and must say just what it said before.
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
      log('beat_lost', { job_id, fence, error: errorText(error) })
    }
  }

  return {
    progress(value) {
      percent = Math.max(percent, Math.min(99, Math.floor(value)))
    },
    stop() {
      stopped = true
      clearTimeout(timer)
    },
  }
}
