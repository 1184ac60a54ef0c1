import { type Caller, maySee } from '../accounts/rules/caller.ts'
import type { Deps } from '../deps.ts'
import { streamText } from '../platform/http/stream-text.ts'
import { isoTime } from '../platform/iso-time.ts'
import { eventsAfter, idOf, isEnd, type JobEvent, type Place, pauseAfter, placeOf } from './rules/events.ts'
import { isOver } from './rules/states.ts'
import { findJob } from './show.ts'
import { viewJob } from './view.ts'
import { lookAtJob, readSnapshot, type WatchedJob } from './watch.ts'

const HEARTBEAT_MS = 15_000
/** Maximum duration of a stream; the client reconnects and resumes. */
const LIFE_MS = 5 * 60 * 1000
/** A Worker request is limited to 1,000 subrequests. */
const LOOKS_MAX = 800
const RETRY_MS = 1000

/**
 * Streams a job's `status` and `progress` events (server-sent events), starting at the beginning or after the event
 * id `after`. The last `status` event contains the whole job. If the client already has the last event, returns
 * 204, which stops it from reconnecting. Ends when the caller loses access. Throws like findJob. Contract: Jobs,
 * Job events.
 */
export async function streamJobEvents(
  deps: Deps,
  caller: Caller,
  id: string,
  { after, findCallerNow }: { after: string | null; findCallerNow: () => Promise<Caller | null> },
) {
  const job = await findJob(deps, caller, id)
  const snapshot = await readSnapshot(deps, id)
  const place = placeOf(after)
  if (isEnd(snapshot, place)) return new Response(null, { status: 204 })
  const isAuthorized = async () => {
    const now = await findCallerNow()
    return now !== null && maySee(now, job)
  }
  return new Response(streamText(sendEvents(deps, id, snapshot, place, isAuthorized)), {
    headers: {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    },
  })
}

async function* sendEvents(
  deps: Deps,
  id: string,
  first: WatchedJob,
  from: Place,
  isAuthorized: () => Promise<boolean>,
): AsyncGenerator<string> {
  const started_at = deps.clock.now()
  let snapshot = first
  let place = from
  let sent_at = started_at
  let changed_at = started_at
  yield `retry: ${RETRY_MS}\n\n`
  for (let looks = 0; looks < LOOKS_MAX; looks++) {
    const events = eventsAfter(snapshot, place)
    for (const event of events) {
      yield writeEvent(event, describeEvent(deps, id, event, snapshot))
      place = event.place
    }
    if (isEnd(snapshot, place)) return
    const now = deps.clock.now()
    if (events.length > 0) [sent_at, changed_at] = [now, now]
    if (now - started_at >= LIFE_MS) return
    if (now - sent_at >= HEARTBEAT_MS) {
      yield ': alive\n\n'
      sent_at = now
    }
    const pause_ms = pauseAfter(now - changed_at)
    await scheduler.wait(pause_ms)
    snapshot = await lookAtJob(deps, id, snapshot, pause_ms)
    if (!(await isAuthorized())) return
  }
}

function describeEvent(deps: Deps, job_id: string, event: JobEvent, { job }: WatchedJob): object {
  if (event.name === 'progress') return { job_id, progress: event.progress }
  const common = { job_id, status: event.status, at: isoTime(event.at) }
  return isOver(event.status) && job !== null ? { ...common, job: viewJob(deps, job) } : common
}

function writeEvent({ name, place }: JobEvent, data: object): string {
  return `event: ${name}\nid: ${idOf(place)}\ndata: ${JSON.stringify(data)}\n\n`
}
