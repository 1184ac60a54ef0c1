import type { Callback } from '../shared/protocol/callback.ts'
import { WorkStopped } from './failure.ts'
import { errorText, log } from './log.ts'
import type { ReportAnswer } from './report.ts'

/** Jobs that end sooner than this tell nothing but their end. */
const FIRST_BEAT_MS = 150
/** Somewhat less than the second after which a change is to be known: telling takes its time too. */
const BEAT_MS = 800

export interface Heartbeat {
  /** Notes the percent done; it is sent with the next beat if it changed. */
  progress(percent: number): void
  stop(): void
}

interface HeartbeatParts {
  job_id: string
  fence: number
  started_at: Date
  send(report: Callback): Promise<ReportAnswer>
  /** Called once with the reason when the edge doesn't want this work any more. */
  abort(reason: WorkStopped): void
}

/**
 * Tells the edge in the background that the job has started and, about once a second, how far it is.
 * A beat that gets lost is no loss: the next one follows. `continue: false` ends the work.
 */
export function startHeartbeat({ job_id, fence, started_at, send, abort }: HeartbeatParts): Heartbeat {
  let started_taken = false
  let percent = 0
  let percent_taken = 0
  let latest: Callback | null = null
  let stopped = false
  let timer = setTimeout(beat, FIRST_BEAT_MS)

  async function beat(): Promise<void> {
    const report = nextReport()
    if (report !== null) await deliver(report)
    if (!stopped) timer = setTimeout(beat, BEAT_MS)
  }

  function nextReport(): Callback | null {
    if (!started_taken) return { type: 'job.started', job_id, fence, at: started_at.toISOString() }
    if (percent === percent_taken) return null
    // One percent is one report: sent again, it must say just what it said before.
    if (latest?.type === 'job.progress' && latest.progress === percent) return latest
    latest = { type: 'job.progress', job_id, fence, at: new Date().toISOString(), progress: percent }
    return latest
  }

  async function deliver(report: Callback): Promise<void> {
    try {
      const answer = await send(report)
      if (answer.continue === false && !stopped) abort(new WorkStopped('superseded'))
      if (answer.status >= 300) return
      if (report.type === 'job.started') started_taken = true
      if (report.type === 'job.progress') percent_taken = report.progress
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
