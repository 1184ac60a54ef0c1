import { useQuery } from '@tanstack/preact-query'
import { useEffect } from 'preact/hooks'
import type { Job } from '../../client/src/index.ts'
import { media, queries } from '../api/media.ts'
import { isOpen } from './job-state.ts'

const POLL_MS = 3000

const keyOf = (id: string) => ['job', id]

/** Reads a job and follows it by server-sent events until it ends. */
export function useJob(id: string) {
  const job = useQuery({ queryKey: keyOf(id), queryFn: () => media.value.jobs.get(id) })
  const isFollowed = job.data !== undefined && isOpen(job.data)
  useEffect(() => {
    if (!isFollowed) return
    const abort = new AbortController()
    // If the stream fails for good, the page keeps what it knows and refreshes when it is focused.
    follow(id, abort.signal).catch(() => undefined)
    return () => abort.abort()
  }, [id, isFollowed])
  return job
}

async function follow(id: string, signal: AbortSignal): Promise<void> {
  for await (const event of media.value.jobs.events(id, { signal })) {
    rememberJob(id, (job) => {
      if (event.type === 'progress') return { ...job, progress: event.progress }
      return event.job ?? { ...job, status: event.status }
    })
  }
}

/** Keeps one job of a list current: the list does not hold a stream for each. */
export function useListedJob(listed: Job): Job {
  const { data } = useQuery({
    queryKey: keyOf(listed.id),
    queryFn: () => media.value.jobs.get(listed.id),
    initialData: listed,
    enabled: isOpen(listed),
    refetchInterval: ({ state }) => (state.data && isOpen(state.data) ? POLL_MS : false),
  })
  // What was read before the job ended is outdated.
  return isOpen(listed) ? data : listed
}

/** Changes what pages know about a job. */
export function rememberJob(id: string, change: (job: Job) => Job): void {
  queries.setQueryData<Job>(keyOf(id), (job) => job && change(job))
}
