import { createHash } from 'node:crypto'
import { z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { Locale } from '../../shared/text/texts.ts'
import { anonymousClient } from '../accounts/anonymous-client.ts'
import type { Deps } from '../deps.ts'
import { reportUnforeseen } from '../log.ts'
import { openText, sealText } from '../platform/crypto/sealed-text.ts'
import type { Statement } from '../platform/database/client.ts'
import { isSpread } from '../platform/database/find-place.ts'
import { ApiError, type ErrorDetail } from '../platform/errors/api-error.ts'
import { faultAt } from '../platform/errors/rules/field-faults.ts'
import { digestForm } from '../platform/http/multipart-form.ts'
import { accountSubject } from '../platform/http/subjects.ts'
import {
  beginRequest,
  completeAnywhereStatement,
  completeRequest,
  completeStatement,
  dropRequest,
  findRequest,
  type KeyedRequest,
  LOCK_MS,
  renewLock,
  type StoredRequest,
  unlockRequest,
} from '../platform/idempotency/queries.ts'
import { type RecordAnswer, recordNothing } from '../platform/idempotency/record-answer.ts'
import { isFinalRefusal, judgeRepetition } from '../platform/idempotency/rules/repetition.ts'
import { PROXIED_BYTES_MAX } from '../uploads/rules/limits.ts'
import type { AppEnv } from './context.ts'
import { answerInvalid, errorBody, languageHeaders, localeOf } from './errors.ts'

export const IdempotencyHeaders = z.object({
  'idempotency-key': z
    .string()
    .min(1)
    .max(255)
    .optional()
    .describe(
      'Repeating the key within 24 hours returns the first response. Repeat the same request: a form with its ' +
        'file. A different request with the same key returns 422',
    ),
})

const REUSED = faultAt(['header', 'idempotency-key'], 'idempotency_key_reused')

const REPLAYED = { 'Idempotency-Replayed': 'true' }

type Answer = { status: number; streamed: boolean }
type Run = (record: RecordAnswer) => Promise<Response>

/**
 * Runs a request once per Idempotency-Key and caller, and replays the first response. `record` stores the response
 * in the same commit as the work, so a crash cannot cause a second run. Throws 422 if the key was used for a
 * different request, and 409 while the first request is running. Contract: Conventions, Idempotency.
 * @param answer `status` is the status on success. `streamed` means that the body is a form that `run` reads as a
 * stream.
 */
export async function answerOnce(context: Context<AppEnv>, answer: Answer, run: Run): Promise<Response> {
  const key = context.req.header('idempotency-key')
  if (key === undefined) return run(recordNothing)
  const valid = IdempotencyHeaders.safeParse({ 'idempotency-key': key })
  if (!valid.success) return answerInvalid(context, 'header', valid.error.issues)
  const { db, clock } = context.get('deps')
  const { streamed } = answer
  // The content of a form is not known until it has been read.
  const fingerprint = fingerprintOf(context, streamed ? '' : await context.req.text())
  const request = { owner: ownerOf(context), key, fingerprint }
  const known =
    (await beginRequest(db, request, clock.now())) ?? (await findCompletedElsewhere(context, request))
  if (known === null) return carryOut(context, request, answer, run)
  const isForm = streamed && known.completions > 0
  return repeatAnswer(context, known, isForm ? await formFingerprint(context) : fingerprint)
}

async function carryOut(
  context: Context<AppEnv>,
  request: KeyedRequest,
  { status, streamed }: Answer,
  run: Run,
): Promise<Response> {
  const { db, env, clock } = context.get('deps')
  const seal = (text: string) => sealText(env.SESSION_KEYS, text)
  let recorded: Statement[] = []
  const stopRenewing = streamed ? keepLocked(context.get('deps'), request) : () => undefined
  try {
    const response = await run((body, form) => {
      const answer = seal(JSON.stringify(body))
      const fingerprint = form === undefined ? request.fingerprint : fingerprintOf(context, form)
      const stored = { status, answer, fingerprint }
      recorded = worksAnywhere(context)
        ? [completeAnywhereStatement(db, request, stored, clock.now())]
        : [completeStatement(db, request, stored)]
      return recorded
    })
    if (recorded.length === 0 || worksAnywhere(context)) {
      const answer = seal(await response.clone().text())
      await completeRequest(db, request, { status: response.status, answer })
    }
    return response
  } catch (error) {
    if (error instanceof ApiError) {
      // A refused form was not read to the end, so its fingerprint is unknown.
      if (streamed) await dropRequest(db, request)
      else await keepRefusal(context, request, error)
      throw error
    }
    return answerAfterFault(context, request, error)
  } finally {
    stopRenewing()
  }
}

/** Whether the work of a request may be in another database than the caller, as that of administrators is. */
function worksAnywhere(context: Context<AppEnv>): boolean {
  return isSpread(context.get('deps')) && context.get('caller').account?.is_admin === true
}

/** Finds the response that was committed with the work in another database, before a crash. */
async function findCompletedElsewhere(context: Context<AppEnv>, request: KeyedRequest) {
  if (!worksAnywhere(context)) return null
  const deps = context.get('deps')
  const others = deps.databases.filter((db) => db !== deps.db)
  const found = await Promise.all(others.map((db) => findRequest(db, request)))
  const known = found.find((row) => row !== undefined && row.completions > 0) ?? null
  if (known !== null) {
    const { status, answer } = known
    await completeRequest(deps.db, request, { status: status ?? 0, answer: answer ?? '' })
  }
  return known
}

/** Extends the lock during a long upload, so no second attempt can start. */
function keepLocked({ db, clock }: Pick<Deps, 'db' | 'clock'>, request: KeyedRequest): () => void {
  const renew = () =>
    renewLock(db, request, clock.now()).catch((error) => reportUnforeseen(error, { task: 'renewing a lock' }))
  const timer = setInterval(renew, LOCK_MS / 3)
  return () => clearInterval(timer)
}

/**
 * Returns the owner of an idempotency key. For anonymous callers, it includes X-Anonymous-Id, because several
 * people may share an address.
 */
function ownerOf(context: Context<AppEnv>): string {
  const { account } = context.get('caller')
  if (account !== null) return accountSubject(account.id)
  return `anonymous:${anonymousClient(context.get('deps'), context.req.raw.headers).owner_key}`
}

function fingerprintOf({ req }: Context, content: string): string {
  return createHash('sha256')
    .update(JSON.stringify([req.method, req.path, content]))
    .digest('hex')
}

/** Returns the fingerprint of a repeated form. An incomplete form counts as a different request. */
async function formFingerprint(context: Context): Promise<string> {
  const { body, headers } = context.req.raw
  const stream = body ?? new Blob([]).stream()
  const digest = await digestForm(stream, headers.get('content-type') ?? '', PROXIED_BYTES_MAX)
  return fingerprintOf(context, digest ?? '')
}

async function keepRefusal(context: Context<AppEnv>, request: KeyedRequest, error: ApiError) {
  const { db, env } = context.get('deps')
  const { status } = error
  if (!isFinalRefusal(status)) return dropRequest(db, request)
  const language = localeOf(context)
  const stored: StoredRefusal = { language, body: errorBody(context, error, language) }
  const answer = sealText(env.SESSION_KEYS, JSON.stringify(stored))
  return completeRequest(db, request, { status, answer })
}

/**
 * Handles a failure after which the work may already be committed, so the database is checked. If the work was not
 * committed, the next attempt can start at once.
 */
async function answerAfterFault(context: Context<AppEnv>, request: KeyedRequest, error: unknown) {
  const { db } = context.get('deps')
  await unlockRequest(db, request)
  const known = await findRequest(db, request)
  if (known === undefined || known.completions === 0) throw error
  return replay(context, known)
}

function repeatAnswer(context: Context<AppEnv>, known: StoredRequest, fingerprint: string): Response {
  switch (judgeRepetition(known, fingerprint)) {
    case 'other_payload':
      throw new ApiError('validation_failed', { faults: [REUSED] })
    case 'running':
      throw new ApiError('idempotency_request_running')
    case 'answered':
      return replay(context, known)
  }
}

function replay(context: Context<AppEnv>, { status, answer }: StoredRequest): Response {
  const text = openText(context.get('deps').env.SESSION_KEYS, answer ?? '')
  if (text === null || status === null) throw new ApiError('idempotency_response_lost')
  if (status >= 400) return replayRefusal(context, status, text)
  if (text === '') return context.body(null, status as 204, REPLAYED)
  return context.body(text, status as ContentfulStatusCode, {
    'Content-Type': 'application/json',
    ...REPLAYED,
  })
}

/** A refusal as stored, to be replayed in the language of the first response. */
interface StoredRefusal {
  language: Locale
  body: object
}

function replayRefusal(context: Context<AppEnv>, status: number, text: string): Response {
  const { language, body } = readRefusal(JSON.parse(text))
  const request_id = context.get('requestId')
  const headers = { ...REPLAYED, ...languageHeaders(language) }
  return context.json({ ...body, request_id }, status as ContentfulStatusCode, headers)
}

/** Rows of older releases contain the body in English, and even older ones only its `detail`. */
function readRefusal(stored: StoredRefusal | { detail: ErrorDetail } | ErrorDetail): StoredRefusal {
  if (typeof stored === 'object' && 'language' in stored) return stored
  const isBody = typeof stored === 'object' && 'detail' in stored
  return { language: 'en', body: isBody ? stored : { detail: stored } }
}
