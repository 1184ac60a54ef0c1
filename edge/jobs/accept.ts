import type { AnonymousClient } from '../accounts/anonymous-client.ts'
import { stillAllowedQuery, stillAllowedStatement } from '../accounts/credential-guard.ts'
import { type AccountCaller, type LinkOwner, sourceOf } from '../accounts/rules/caller.ts'
import { limitsOf } from '../accounts/rules/limits.ts'
import { requireFound } from '../accounts/while-authorized.ts'
import { changeCredits } from '../credits/change-credits.ts'
import { creditsFrom, creditsQueries } from '../credits/queries.ts'
import { andThen, type Change, type Credits, charge, unchanged } from '../credits/rules/ledger.ts'
import type { Deps } from '../deps.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import type { Effect } from '../platform/outbox/queries.ts'
import { unitOfWork } from '../platform/unit-of-work.ts'
import { loadSettings } from '../settings/queries.ts'
import { isRunning } from '../subscriptions/rules/terms.ts'
import { dispatchEffect } from './dispatch.ts'
import {
  makeDispatch,
  makeJob,
  requirePaidWork,
  requireRoom,
  type Together,
  takeStatements,
  type WantedJob,
} from './make.ts'
import { anonymousJobsQuery, openJobsQuery, type StoredJob } from './queries.ts'
import { tariffOf, uploadLifeMs } from './rules/submission.ts'
import { unpaidWorkQuery } from './unpaid-work-query.ts'

/** Who wants jobs done: an account, which pays for them, or an anonymous caller, whom narrow limits bind. */
export type Submitter = AccountCaller | LinkOwner | AnonymousClient

/** Jobs that were taken, and when. */
interface Taken {
  jobs: StoredJob[]
  taken_at: number
}

type ReadWanted = () => Promise<WantedJob[]>

/**
 * Takes jobs, all or none: writes each with its base charge and its dispatch in one commit; the dispatches
 * go out after it, and again by the scheduled handler until the fleet has taken them.
 * Throws 401 where the credential ended meanwhile, 402, 429 with too many open jobs or too much unpaid work, and
 * whatever `read` throws. Contract: Jobs, Submit.
 * @param read checks what is wanted; it runs once, while the facts are loaded, which saves a round trip.
 */
export function takeJobs(
  deps: Deps,
  submitter: Submitter,
  read: ReadWanted,
  together: Together,
): Promise<Taken> {
  const reading = read()
  // It is awaited where the facts are loaded; until then its refusal has nobody to go to.
  reading.catch(() => undefined)
  const readWanted = () => reading
  return submitter.kind === 'anonymous'
    ? takeAnonymously(deps, submitter, readWanted, together)
    : takeCharged(deps, submitter, readWanted, together)
}

function dispatchEffects(jobs: readonly StoredJob[]): Effect[] {
  return jobs.map(({ dispatch }) => dispatchEffect(dispatch))
}

async function takeCharged(
  deps: Deps,
  caller: AccountCaller | LinkOwner,
  readWanted: ReadWanted,
  together: Together,
): Promise<Taken> {
  const { db } = deps
  const settings = await loadSettings(db, deps.clock.now())
  const tariff = tariffOf(settings)
  const { base_credits } = tariff
  const accountId = caller.account.id
  return changeCredits(deps, accountId, {
    load: async (grants_max) => {
      // Asked again: a body may take long to come in, and meanwhile its credential may have ended.
      const [wanted, [open, unpaid, found, ...credits]] = await Promise.all([
        readWanted(),
        db.batch([
          openJobsQuery(db, accountId),
          unpaidWorkQuery(db, { accountId }, deps.clock.now()),
          stillAllowedQuery(db, caller),
          ...creditsQueries(db, accountId, grants_max),
        ]),
        together.recheck?.(),
      ])
      requireFound(caller, found)
      return {
        wanted,
        open: open[0]?.total ?? 0,
        unpaid,
        loaded: creditsFrom(accountId, credits, grants_max),
      }
    },
    spendsMax: ({ wanted }) => base_credits * wanted.length,
    decide: ({ wanted, open, unpaid, loaded }, settled, now) => {
      const plan = isRunning(loaded.term, now) ? loaded.term : null
      const tier = plan === null ? 'free' : 'paid'
      const limits = limitsOf(settings, tier, plan?.limits ?? null)
      requireRoom(open, wanted.length, limits)
      requirePaidWork(unpaid, settings, tier, now)
      const jobs = wanted.map((one, index) =>
        makeJob(one, together, makeDispatch(one.order, settings, tier, limits, open + index), {
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
        stillAllowedStatement(db, caller),
        ...takeStatements(deps, jobs, wanted, together, { now, lives_ms: uploadLifeMs(settings, tier) }),
      ]
      return { change, statements, effects: dispatchEffects(jobs), answer: { jobs, taken_at: now } }
    },
  })
}

/** The base for every job, or a refusal that charges for none. Throws 402. */
function chargeEach(settled: Credits, jobs: readonly StoredJob[], base_credits: number): Change {
  if (settled.balance < base_credits * jobs.length) throw new ApiError('insufficient_credits')
  return jobs.reduce<Change>(
    (change, { id }) =>
      andThen(change, (credits) => {
        const charged = charge(credits, base_credits, { cause: `job:${id}:base`, job_id: id })
        if (charged === null) throw new ApiError('insufficient_credits')
        return charged
      }),
    unchanged(settled),
  )
}

/** An anonymous caller has no balance: what it may have done is bounded by its limits alone. */
async function takeAnonymously(
  deps: Deps,
  { address_key, owner_key }: AnonymousClient,
  readWanted: ReadWanted,
  together: Together,
): Promise<Taken> {
  const settings = await loadSettings(deps.db, deps.clock.now())
  const limits = limitsOf(settings, 'anonymous')
  return unitOfWork(deps, {
    load: async () => {
      const [wanted, [[standing], unpaid]] = await Promise.all([
        readWanted(),
        deps.db.batch([
          anonymousJobsQuery(deps.db, address_key),
          unpaidWorkQuery(deps.db, { anonymousKey: address_key }, deps.clock.now()),
        ]),
      ])
      return { wanted, unpaid, open: standing?.open ?? 0, last: standing?.last ?? 0 }
    },
    decide: ({ wanted, unpaid, open, last }, now) => {
      requireRoom(open, wanted.length, limits)
      requirePaidWork(unpaid, settings, 'anonymous', now)
      const jobs = wanted.map((one, index) =>
        makeJob(one, together, makeDispatch(one.order, settings, 'anonymous', limits, open + index), {
          accountId: null,
          anonymousKey: address_key,
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
        statements: takeStatements(deps, jobs, wanted, together, { now, lives_ms }),
        effects: dispatchEffects(jobs),
        answer: { jobs, taken_at: now },
      }
    },
  })
}
