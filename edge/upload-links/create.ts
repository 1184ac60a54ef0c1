import { authorizedWork } from '../accounts/authorized-work.ts'
import type { AccountCaller } from '../accounts/rules/caller.ts'
import type { Deps } from '../deps.ts'
import { checkJobPlan } from '../jobs/make-plans.ts'
import { type GivenLabels, labelsOf } from '../jobs/rules/labels.ts'
import { makeId } from '../platform/database/ids.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import type { RecordAnswer } from '../platform/idempotency/record-answer.ts'
import { countBytes } from '../uploads/rules/addresses.ts'
import { uploadBytesMax } from '../uploads/rules/limits.ts'
import { requireSafeWebhook } from '../webhooks/address.ts'
import { hashLinkToken, makeLinkToken } from './link-token.ts'
import {
  insertSessionStatement,
  measureOpenSessions,
  openSessionsGuard,
  type StoredSession,
} from './queries.ts'
import { findUnsupportedType, typesOf } from './rules/links.ts'
import { viewSession } from './view.ts'

/** Limits of the open links of an account. Contract: Limits, Sizes. */
const LIMITS = { links_max: 1000, bytes_max: 4 * 1024 ** 2 }

interface SessionRequest extends GivenLabels {
  service_slug: string
  operation_key: string
  params: Record<string, unknown>
  allowed_mime_types?: string[] | undefined
  max_size_bytes?: number | undefined
  expires_in: number
  webhook_url?: string | null | undefined
  note?: string | undefined
}

/**
 * Creates a link through which another person can send one file for a job of the caller. Throws 400 and 404 if the
 * job is not possible or the operation does not support the allowed types, 409 for too many open links, and 422 for an
 * unsafe webhook_url.
 * Nothing is charged until a file arrives.
 */
export async function createUploadSession(
  deps: Deps,
  caller: AccountCaller,
  request: SessionRequest,
  record: RecordAnswer,
) {
  // The file comes through the link.
  const { file_url: _file, ...params } = request.params
  const [allowedMimeTypes] = await Promise.all([
    readTypes(deps, { ...request, params }),
    request.webhook_url ? requireSafeWebhook(deps, request.webhook_url) : undefined,
  ])
  const { tag, metadata } = labelsOf(request)
  const now = deps.clock.now()
  const token = makeLinkToken()
  const session: StoredSession = {
    id: makeId(deps.db),
    accountId: caller.account.id,
    tokenHash: hashLinkToken(token),
    status: 'pending',
    serviceSlug: request.service_slug,
    operationKey: request.operation_key,
    params,
    allowedMimeTypes,
    maxSizeBytes: Math.floor(
      Math.min(request.max_size_bytes ?? Number.POSITIVE_INFINITY, uploadBytesMax(deps.env.MAX_UPLOAD_GB)),
    ),
    webhookUrl: request.webhook_url ?? null,
    tag,
    metadata,
    note: request.note || null,
    uploadKey: null,
    attempts: 0,
    uses: 0,
    jobId: null,
    error: null,
    createdAt: now,
    expiresAt: now + request.expires_in * 1000,
  }
  const created = {
    ...viewSession(deps, { session, job: null }),
    // The token is in the fragment, which browsers do not send, so it appears in no log and no Referer header.
    upload_url: `${deps.env.PUBLIC_URL}/send#${token}`,
    token,
  }
  return authorizedWork(deps, caller, {
    load: () => measureOpenSessions(deps.db, caller.account.id, now),
    decide: ({ links, bytes }) => {
      if (links >= LIMITS.links_max || bytes + countBytes(JSON.stringify(params)) > LIMITS.bytes_max) {
        throw new ApiError('too_many_upload_links', LIMITS)
      }
      return {
        statements: [
          insertSessionStatement(deps.db, session),
          openSessionsGuard(deps.db, caller.account.id, LIMITS, now),
          ...record(created),
        ],
        answer: created,
      }
    },
  })
}

async function readTypes(deps: Deps, request: SessionRequest): Promise<string[]> {
  const { operation } = await checkJobPlan(deps, request)
  const { accepts } = operation
  const operation_name = `${request.service_slug}/${request.operation_key}`
  if (accepts.includes('link')) throw new ApiError('operation_takes_link', { operation: operation_name })
  const types = request.allowed_mime_types ?? typesOf(accepts)
  const unsupported = findUnsupportedType(types, accepts)
  if (unsupported === undefined) return types
  throw new ApiError('wrong_file_kind', {
    operation: operation_name,
    param: 'allowed_mime_types',
    accepted: typesOf(accepts),
    found: unsupported,
  })
}
