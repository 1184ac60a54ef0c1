import type { Locale } from '../../shared/text/texts.ts'
import type { Deps } from '../deps.ts'
import { jobErrorText, type StoredError } from '../jobs/rules/error-text.ts'
import { viewJob } from '../jobs/view.ts'
import { isoTime } from '../platform/iso-time.ts'
import type { FoundSession } from './queries.ts'

/** Returns the error of a session, which is that of its job, in a language. */
export function sessionErrorText(
  error: string | null,
  job: StoredError | null,
  locale: Locale,
): string | null {
  return job === null || error === null ? error : jobErrorText(job, locale)
}

/** Returns a session in the form shown to its owner. Contract: Upload links, Upload session record. */
export function viewSession(deps: Pick<Deps, 'env' | 'locale'>, { session, job }: FoundSession) {
  return {
    id: session.id,
    status: session.status,
    service_slug: session.serviceSlug,
    operation_key: session.operationKey,
    params: session.params,
    allowed_mime_types: session.allowedMimeTypes,
    max_size_bytes: session.maxSizeBytes,
    job_id: session.jobId,
    result: job === null ? null : viewJob(deps, job).result,
    error: sessionErrorText(session.error, job, deps.locale),
    note: session.note,
    webhook_url: session.webhookUrl,
    tag: session.tag,
    metadata: session.metadata,
    expires_at: isoTime(session.expiresAt),
    created_at: isoTime(session.createdAt),
  }
}
