import { createHash } from 'node:crypto'
import { z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { Statement } from '../db/client.ts'
import {
  beginRequest,
  completeRequest,
  completeStatement,
  dropRequest,
  findRequest,
  type KeyedRequest,
  LOCK_MS,
  renewLock,
  type StoredRequest,
  unlockRequest,
} from '../db/idempotency.ts'
import type { Deps } from '../deps.ts'
import { openText, sealText } from '../integrations/sealed-text.ts'
import { reportUnforeseen } from '../log.ts'
import { isFinalRefusal, judgeRepetition } from '../rules/idempotency.ts'
import { anonymousClient } from '../services/anonymous.ts'
import { ApiError } from '../services/api-error.ts'
import { type RecordAnswer, recordNothing } from '../services/record-answer.ts'
import { accountSubject } from '../services/subjects.ts'
import type { AppEnv } from './context.ts'
import { answerInvalid } from './errors.ts'

export const IdempotencyHeaders = z.object({
  'idempotency-key': z
    .string()
    .min(1)
    .max(255)
    .optional()
    .describe(
      'A name for this request: sent again within a day it is not carried out again but answered alike. ' +
        'Of a form with a file only its Content-Length, which it must have, is compared, not the content: give each ' +
        'file a key of its own',
    ),
})

const REUSED = {
  loc: ['header', 'idempotency-key'],
  msg: 'this Idempotency-Key was used for another request',
  type: 'idempotency_key_reused',
}

const LENGTH_NEEDED = {
  code: 'custom' as const,
  path: ['content-length'],
  message: 'needed beside an Idempotency-Key: by it another form is told from a repetition',
}

const REPLAYED = { 'Idempotency-Replayed': 'true' }

/**
 * Carries out a request once for each Idempotency-Key of its caller, and answers repetitions as the first.
 * `run` may write the answer in the commit of its work (`record`); then not even a crash between the two
 * lets a repetition do the work again. Throws 422 for a key that named another request, and 409 while the
 * first still runs. Open names: Conventions.
 * @param answer `status` is that of success; `streamed`: the body is a form, which `run` reads as it comes in.
 */
export async function answerOnce(
  context: Context<AppEnv>,
  { status, streamed }: { status: number; streamed: boolean },
  run: (record: RecordAnswer) => Promise<Response>,
): Promise<Response> {
  const key = context.req.header('idempotency-key')
  if (key === undefined) return run(recordNothing)
  const valid = IdempotencyHeaders.safeParse({ 'idempotency-key': key })
  if (!valid.success) return answerInvalid(context, 'header', valid.error.issues)
  if (streamed && context.req.header('content-length') === undefined) {
    return answerInvalid(context, 'header', [LENGTH_NEEDED])
  }
  const { db, clock, env } = context.get('deps')
  const request = { owner: ownerOf(context), key, fingerprint: await fingerprintOf(context, streamed) }
  const known = await beginRequest(db, request, clock.now())
  if (known !== null) return repeatAnswer(context, request, known)
  const seal = (text: string) => sealText(env.SESSION_KEYS, text)
  let recorded: Statement[] = []
  const stopRenewing = streamed ? keepLocked(context.get('deps'), request) : () => undefined
  try {
    const response = await run((body) => {
      recorded = [completeStatement(db, request, { status, answer: seal(JSON.stringify(body)) })]
      return recorded
    })
    if (recorded.length === 0) {
      const answer = seal(await response.clone().text())
      await completeRequest(db, request, { status: response.status, answer })
    }
    return response
  } catch (error) {
    if (error instanceof ApiError) {
      await keepRefusal(context, request, error)
      throw error
    }
    return answerAfterFault(context, request, error)
  } finally {
    stopRenewing()
  }
}

/** A file may take longer to come in than a lock lasts: while it does, no second try begins. */
function keepLocked({ db, clock }: Pick<Deps, 'db' | 'clock'>, request: KeyedRequest): () => void {
  const renew = () =>
    renewLock(db, request, clock.now()).catch((error) => reportUnforeseen(error, { task: 'renewing a lock' }))
  const timer = setInterval(renew, LOCK_MS / 3)
  return () => clearInterval(timer)
}

/** An anonymous caller by what its jobs go by as well: several people may share an address. */
function ownerOf(context: Context<AppEnv>): string {
  const { account } = context.get('caller')
  if (account !== null) return accountSubject(account.id)
  return `anonymous:${anonymousClient(context.get('deps'), context.req.raw.headers).owner_key}`
}

/**
 * Of a form only the length counts: it may be larger than what can be held, a repetition is answered without
 * its file being taken in, and the boundary in it differs each time.
 */
async function fingerprintOf({ req }: Context, streamed: boolean): Promise<string> {
  const body = streamed ? (req.header('content-length') ?? '') : await req.text()
  return createHash('sha256')
    .update(JSON.stringify([req.method, req.path, body]))
    .digest('hex')
}

async function keepRefusal(context: Context<AppEnv>, request: KeyedRequest, { status, detail }: ApiError) {
  const { db, env } = context.get('deps')
  if (!isFinalRefusal(status)) return dropRequest(db, request)
  return completeRequest(db, request, { status, answer: sealText(env.SESSION_KEYS, JSON.stringify(detail)) })
}

/** The work may have been done all the same: the database says. Where it was not, the next try may begin at once. */
async function answerAfterFault(context: Context<AppEnv>, request: KeyedRequest, error: unknown) {
  const { db } = context.get('deps')
  await unlockRequest(db, request)
  const known = await findRequest(db, request)
  if (known === undefined || known.completions === 0) throw error
  return repeatAnswer(context, request, known)
}

function repeatAnswer(context: Context<AppEnv>, request: KeyedRequest, known: StoredRequest): Response {
  switch (judgeRepetition(known, request.fingerprint)) {
    case 'other_payload':
      throw new ApiError(422, [REUSED])
    case 'running':
      throw new ApiError(409, 'the first request with this Idempotency-Key is still running', {
        'Retry-After': '1',
      })
    case 'answered':
      return replay(context, known)
  }
}

function replay(context: Context<AppEnv>, { status, answer }: StoredRequest): Response {
  const text = openText(context.get('deps').env.SESSION_KEYS, answer ?? '')
  if (text === null || status === null) {
    throw new ApiError(409, 'this was carried out before, and its answer cannot be read any more')
  }
  if (status >= 400) throw new ApiError(status, JSON.parse(text) as string, REPLAYED)
  if (text === '') return context.body(null, status as 204, REPLAYED)
  return context.body(text, status as ContentfulStatusCode, {
    'Content-Type': 'application/json',
    ...REPLAYED,
  })
}
