import type { AnonymousClient } from '../accounts/anonymous-client.ts'
import { requireFound } from '../accounts/authorized-work.ts'
import { credentialGuard } from '../accounts/credential-guard.ts'
import { type AccountCaller, type LinkOwner, sourceOf } from '../accounts/rules/caller.ts'
import { limitsOf } from '../accounts/rules/limits.ts'
import { changeCredits } from '../credits/change-credits.ts'
import { creditsFrom, creditsQueries } from '../credits/queries.ts'
import { andThen, type Change, type Credits, charge, unchanged } from '../credits/rules/ledger.ts'
import type { Deps } from '../deps.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import type { Effect } from '../platform/outbox/queries.ts'
import { beginSpan, exportSpans, traceparentOf } from '../platform/trace/span.ts'
import { unitOfWork } from '../platform/unit-of-work.ts'
import { loadSettings } from '../settings/queries.ts'
import { isRunning } from '../subscriptions/rules/terms.ts'
import { loadBlock, requireBlockRoom } from './block-limits.ts'
import { dispatchEffect } from './dispatch.ts'
import {
  acceptStatements,
  makeDispatch,
  makeJob,
  type RequestedJob,
  requirePaidWork,
  requireRoom,
  type Together,
} from './make.ts'
import { anonymousJobsQuery, type StoredJob } from './queries.ts'
import { tariffOf, uploadLifeMs } from './rules/submission.ts'
import { submitterQuery } from './submitter-query.ts'
import { unpaidWorkQuery } from './unpaid-work-query.ts'

/** A submitter of jobs: either an account, which pays for them, or an anonymous caller, who has strict limits. */
export type Submitter = AccountCaller | LinkOwner | AnonymousClient

/** Accepted jobs and the time they were accepted. */
interface AcceptedJobs {
  jobs: StoredJob[]
  accepted_at: number
}

type ReadRequested = () => Promise<RequestedJob[]>

/**
 * Accepts all of the given jobs or none of them. Writes each job with its base charge and its dispatch in one
 * commit, then sends the dispatches. Throws 401 if the credential was revoked, 402 if the balance is too low, 429
 * for too many open jobs or too much unpaid work, and anything that `read` throws. Contract: Jobs, Submit.
 * @param read validates the submission; it runs once, while the facts are loading.
 */
export async function acceptJobs(
  deps: Deps,
  submitter: Submitter,
  read: ReadRequested,
  together: Together,
): Promise<AcceptedJobs> {
  const span = beginSpan(deps, 'submit', deps.caller_trace)
  const traced = { ...together, traceparent: traceparentOf(deps, span) }
  const reading = read()
  // Prevents an unhandled rejection before the result is awaited.
  reading.catch(() => undefined)
  const readRequested = () => reading
  const accepted = await (submitter.kind === 'anonymous'
    ? acceptAnonymously(deps, submitter, readRequested, traced)
    : acceptCharged(deps, submitter, readRequested, traced))
  const [first] = accepted.jobs
  exportSpans(deps, [span], () => ({
    'job.count': accepted.jobs.length,
    ...(first && { 'job.id': first.id, 'job.operation': `${first.serviceSlug}/${first.operationKey}` }),
  }))
  return accepted
}

function dispatchEffects(jobs: readonly StoredJob[]): Effect[] {
  return jobs.map(({ dispatch }) => dispatchEffect(dispatch))
}

async function acceptCharged(
  deps: Deps,
  caller: AccountCaller | LinkOwner,
  readRequested: ReadRequested,
  together: Together,
): Promise<AcceptedJobs> {
  const { db } = deps
  const settings = await loadSettings(db, deps.clock.now())
  const tariff = tariffOf(settings)
  const { base_credits } = tariff
  const accountId = caller.account.id
  return changeCredits(deps, accountId, {
    load: async (grants_max) => {
      // Checks the credential again, because it may have been revoked while a long body was being received.
      const [requested, [found, ...credits]] = await Promise.all([
        readRequested(),
        db.batch([
          submitterQuery(db, caller, deps.clock.now()),
          ...creditsQueries(db, accountId, grants_max),
        ]),
        together.recheck?.(),
      ])
      requireFound(caller, found)
      return {
        requested,
        open: found[0]?.open ?? 0,
        unpaid: found[0]?.unpaid ?? [],
        loaded: creditsFrom(accountId, credits, grants_max),
      }
    },
    spendsMax: ({ requested }) => base_credits * requested.length,
    decide: ({ requested, open, unpaid, loaded }, settled, now) => {
      const plan = isRunning(loaded.term, now) ? loaded.term : null
      const tier = plan === null ? 'free' : 'paid'
      const limits = limitsOf(settings, tier, plan?.limits ?? null)
      requireRoom(open, requested.length, limits)
      requirePaidWork(unpaid, settings, tier, now)
      const jobs = requested.map((one, index) =>
        makeJob(one, together, makeDispatch(db, one.plan, settings, tier, limits, open + index), {
          accountId,
          keyId: caller.kind === 'key' ? caller.key.id : null,
          source: sourceOf(caller),
          estimatedCost: base_credits,
          tariff,
          createdAt: now,
          position: index,
        }),
      )
      const change = chargeEach(settled, jobs, base_credits)
      const statements = [
        credentialGuard(db, caller),
        ...acceptStatements(deps, jobs, requested, together, { now, lives_ms: uploadLifeMs(settings, tier) }),
      ]
      return { change, statements, effects: dispatchEffects(jobs), answer: { jobs, accepted_at: now } }
    },
  })
}

/** Charges the base price of every job. Throws 402 and charges nothing if the balance is too low. */
function chargeEach(settled: Credits, jobs: readonly StoredJob[], base_credits: number): Change {
  const facts = { needed: base_credits * jobs.length, available: settled.balance }
  if (facts.available < facts.needed) throw new ApiError('insufficient_credits', facts)
  return jobs.reduce<Change>(
    (change, { id }) =>
      andThen(change, (credits) => {
        const charged = charge(credits, base_credits, { cause: `job:${id}:base`, job_id: id })
        if (charged === null) throw new ApiError('insufficient_credits', facts)
        return charged
      }),
    unchanged(settled),
  )
}

/** Accepts jobs from an anonymous caller, who has no balance and is constrained only by limits. */
async function acceptAnonymously(
  deps: Deps,
  { address_key, block_key, owner_key }: AnonymousClient,
  readRequested: ReadRequested,
  together: Together,
): Promise<AcceptedJobs> {
  const settings = await loadSettings(deps.db, deps.clock.now())
  const limits = limitsOf(settings, 'anonymous')
  return unitOfWork(deps, {
    load: async () => {
      const [requested, [[standing], unpaid], block] = await Promise.all([
        readRequested(),
        deps.db.batch([
          anonymousJobsQuery(deps.db, address_key),
          unpaidWorkQuery(deps.db, { anonymousKey: address_key }, deps.clock.now()),
        ]),
        loadBlock(deps, block_key),
      ])
      return { requested, unpaid, block, open: standing?.open ?? 0, last: standing?.last ?? 0 }
    },
    decide: ({ requested, unpaid, block, open, last }, now) => {
      requireRoom(open, requested.length, limits)
      requirePaidWork(unpaid, settings, 'anonymous', now)
      const guards = requireBlockRoom(deps, block, requested.length, { settings, limits, now })
      const jobs = requested.map((one, index) =>
        makeJob(one, together, makeDispatch(deps.db, one.plan, settings, 'anonymous', limits, open + index), {
          accountId: null,
          anonymousKey: address_key,
          anonymousBlock: block_key,
          anonymousNumber: last + 1 + index,
          ownerKey: owner_key,
          source: 'web',
          estimatedCost: 0,
          tariff: tariffOf(settings),
          createdAt: now,
          position: index,
        }),
      )
      const lives_ms = uploadLifeMs(settings, 'anonymous')
      return {
        statements: [...guards, ...acceptStatements(deps, jobs, requested, together, { now, lives_ms })],
        effects: dispatchEffects(jobs),
        answer: { jobs, accepted_at: now },
      }
    },
  })
}
