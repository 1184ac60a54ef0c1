import { reportUnforeseen } from '../../log.ts'
import type { JobProgress } from './job-progress.ts'
import type { Beat, BeatVerdict, RunningAttempt } from './rules/running-attempt.ts'

/** The progress of running jobs, kept outside the database. While it is unavailable, the database decides alone. */
export interface ProgressStore {
  /** Accepts a progress report; `unknown` if only the database can decide about it. */
  beat(job_id: string, beat: Beat, now: number): Promise<BeatVerdict>
  /** Records a report that the database has confirmed. */
  confirm(job_id: string, beat: Beat, now: number): Promise<void>
  /** Forgets jobs that have ended. */
  forget(job_ids: readonly string[]): Promise<void>
  /** Returns what is known of these jobs; null if it cannot be read. Jobs that have not reported recently are missing. */
  read(job_ids: readonly string[]): Promise<ReadonlyMap<string, RunningAttempt | null>>
}

/** Each share holds the jobs of one Durable Object. One request reads all jobs of a share. */
const SHARES = 32

export function openProgressStore(objects: DurableObjectNamespace<JobProgress>): ProgressStore {
  const shareOf = (share: number) => objects.get(objects.idFromName(`share ${share}`))
  const byShare = (job_ids: readonly string[]) => [...Map.groupBy(new Set(job_ids), shareNumber)]
  return {
    beat: (job_id, beat, now) =>
      shareOf(shareNumber(job_id))
        .beat(job_id, beat, now)
        .catch((error) => {
          reportFailure(error)
          return 'unknown'
        }),
    confirm: (job_id, beat, now) =>
      shareOf(shareNumber(job_id)).confirm(job_id, beat, now).catch(reportFailure),
    async forget(job_ids) {
      await Promise.all(
        byShare(job_ids).map(([share, ids]) => shareOf(share).forget(ids).catch(reportFailure)),
      )
    },
    async read(job_ids) {
      const found = await Promise.all(
        byShare(job_ids).map(([share, ids]) =>
          shareOf(share)
            .read(ids)
            .catch((error) => {
              reportFailure(error)
              return ids.map((job_id) => ({ job_id, attempt: null }))
            }),
        ),
      )
      return new Map(found.flat().map(({ job_id, attempt }) => [job_id, attempt]))
    },
  }
}

function reportFailure(error: unknown): void {
  reportUnforeseen(error, { task: 'the progress of jobs' })
}

/** Distributes job ids evenly (FNV-1a). */
function shareNumber(job_id: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < job_id.length; index++) {
    hash = Math.imul(hash ^ job_id.charCodeAt(index), 0x01000193) >>> 0
  }
  return hash % SHARES
}
