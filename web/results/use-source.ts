import { useQuery } from '@tanstack/preact-query'
import { useEffect, useMemo } from 'preact/hooks'
import type { Job } from '../../client/src/index.ts'

/** The input of a job, as far as this browser can read it. */
export interface Source {
  url: string
  kind: 'image' | 'video'
  /** Null while it is unknown. */
  size_bytes: number | null
}

/** Finds the input of a job: the file in this browser, or the uploaded one. Returns null if there is none. */
export function useSource(job: Job, file: File | null): Source | null {
  const local = useMemo(() => (file === null ? null : URL.createObjectURL(file)), [file])
  useEffect(() => () => void (local !== null && URL.revokeObjectURL(local)), [local])
  const stored = storedUrl(job.params.file_url)
  const { data: stored_bytes } = useQuery({
    queryKey: ['size', stored],
    queryFn: () => readSize(stored ?? ''),
    enabled: file === null && stored !== null,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const url = local ?? stored
  if (url === null) return null
  const kind = job.service_slug === 'image' ? 'image' : 'video'
  return { url, kind, size_bytes: file?.size ?? stored_bytes ?? null }
}

/** Returns the URL of an input in the storage of the service. Pages may read no others. */
function storedUrl(file_url: unknown): string | null {
  return typeof file_url === 'string' && URL.parse(file_url)?.origin === location.origin ? file_url : null
}

async function readSize(url: string): Promise<number | null> {
  const { ok, headers } = await fetch(url, { method: 'HEAD' })
  const length = headers.get('content-length')
  return ok && length !== null ? Number(length) : null
}
