import type { Deps } from '../deps.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { faultAt } from '../platform/errors/rules/field-faults.ts'
import { openSecret, sealSecret } from '../storage-connections/secret.ts'
import type { RequestedJob } from './make.ts'
import type { StoredJob } from './queries.ts'
import { type ImportHeaders, lowercaseNames } from './rules/import-headers.ts'

/**
 * Encrypts the headers for the import of a job's file. Throws 422 if the file is not imported by URL, and 503 if this
 * server has no encryption key.
 * @param loc the path of the headers in the request
 */
export function addHeaders(
  deps: Pick<Deps, 'env'>,
  { plan, params }: RequestedJob,
  headers: ImportHeaders | undefined,
  loc: (string | number)[],
): RequestedJob {
  if (headers === undefined || Object.keys(headers).length === 0) return { plan, params }
  const { source } = plan
  if (source.kind !== 'url') {
    throw new ApiError('validation_failed', { faults: [faultAt(loc, 'headers_need_url')] })
  }
  if (deps.env.STORAGE_KEYS.length === 0) throw new ApiError('import_headers_not_configured')
  const { sealedSecret } = sealSecret(deps, JSON.stringify(lowercaseNames(headers)))
  return { plan: { ...plan, source: { ...source, has_headers: true } }, params, sealedHeaders: sealedSecret }
}

/** Decrypts the headers of an open job. */
export function openHeaders(deps: Pick<Deps, 'env'>, { sealedHeaders }: StoredJob): ImportHeaders {
  return sealedHeaders ? (JSON.parse(openSecret(deps, sealedHeaders)) as ImportHeaders) : {}
}

/** Throws 409 for a job that was submitted with headers, because they are not used again. */
export function requireNoHeaders({ sealedHeaders }: Pick<StoredJob, 'sealedHeaders'>): void {
  if (sealedHeaders !== null) throw new ApiError('import_headers_not_kept')
}
