import type { Locale } from '../../shared/text/texts.ts'
import { loadEndedBatch } from '../batches/show.ts'
import type { Deps } from '../deps.ts'
import { findStoredJob } from '../jobs/find-stored-job.ts'
import { viewJob } from '../jobs/view.ts'
import { isoTime } from '../platform/iso-time.ts'
import type { Delivery } from './queries.ts'
import { type EventFamily, familyOf } from './rules/events.ts'
import { sampleJob } from './sample-job.ts'

type Subject = Pick<Delivery, 'type' | 'subjectId' | 'createdAt'>

/** Content and time of an event. */
interface Report {
  happened_at: number
  data: object
}

/** Loads the content of an event, or null if its subject was deleted. */
type Renderer = (deps: Deps, subject: Subject) => Promise<Report | null>

const RENDERERS: Record<EventFamily, Renderer> = {
  job: async (deps, { subjectId, createdAt }) => {
    const job = await findStoredJob(deps, subjectId)
    if (job === undefined) return null
    return { happened_at: job.finishedAt ?? createdAt, data: viewJob(deps, job) }
  },
  batch: async (deps, { subjectId, createdAt }) => {
    const batch = await loadEndedBatch(deps, subjectId)
    if (batch === null) return null
    return {
      happened_at: batch.finished_at === null ? createdAt : Date.parse(batch.finished_at),
      data: batch,
    }
  },
  test: async (deps, { subjectId, createdAt }) => ({
    happened_at: createdAt,
    data: sampleJob(deps, subjectId, createdAt),
  }),
}

/**
 * Renders the body of a webhook at each attempt, or returns null if its subject was deleted. Attempts
 * have the same body, unless files were removed or the account's language changed in between.
 * @param locale language of the account, in which the errors of jobs are.
 */
export async function renderEvent(deps: Deps, delivery: Subject, locale: Locale) {
  const { type } = delivery
  const report = await RENDERERS[familyOf(type)]({ ...deps, locale }, delivery)
  return report === null ? null : { type, timestamp: isoTime(report.happened_at), data: report.data }
}
