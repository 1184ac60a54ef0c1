import { type Caller, ownsFile } from '../accounts/rules/caller.ts'
import type { Deps } from '../deps.ts'
import { keyOf } from '../uploads/rules/addresses.ts'
import { loadFiles } from './find-input.ts'

/** Returns the length of one of the caller's uploads or results, in seconds; null if it is not known. */
export async function findKnownLength(deps: Deps, caller: Caller, url: unknown): Promise<number | null> {
  const key = typeof url === 'string' ? keyOf(deps.env.PUBLIC_URL, url) : null
  if (key === null) return null
  const { uploads, jobs } = await loadFiles(deps, [key])
  const upload = uploads.get(key)
  if (upload !== undefined) return ownsFile(caller, upload) ? upload.durationSeconds : null
  const job = jobs.get(key)
  if (job === undefined || !ownsFile(caller, job)) return null
  const file = job.result?.files.find((one) => one.key === key)
  const { duration_seconds } = job.result?.body ?? {}
  const isMedia = /^(video|audio)\//.test(file?.content_type ?? '')
  return isMedia && typeof duration_seconds === 'number' ? duration_seconds : null
}
