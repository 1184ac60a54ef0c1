import { forgetAccount } from '../accounts/authenticate.ts'
import type { Deps } from '../deps.ts'
import { inTurn } from '../platform/database/account-lock.ts'
import { commit, untilCommitted } from '../platform/database/commit.ts'
import { type Decision, unitOfWork } from '../platform/unit-of-work.ts'
import { loadSettings } from '../settings/queries.ts'
import { balances } from './balance-cache.ts'
import { ALL_GRANTS, changeStatements, type LoadedCredits, loadCredits } from './queries.ts'
import { type AllowanceFacts, settle } from './rules/allowance.ts'
import { isPageEnough } from './rules/grant-page.ts'
import { andThen, type Change, type Credits, unchanged } from './rules/ledger.ts'

type CreditsDeps = Pick<Deps, 'db' | 'databases' | 'clock'>

/** Settles an account's credits and returns them. Writes only if something is due. */
export async function settleAccount(deps: CreditsDeps, accountId: number): Promise<Credits> {
  return (await settleWithFacts(deps, accountId)).credits
}

/** Settles an account's credits, and returns them with the facts that decided what was due. */
export async function settleWithFacts(
  deps: CreditsDeps,
  accountId: number,
): Promise<{ credits: Credits; facts: AllowanceFacts }> {
  const settings = await loadSettings(deps.db, deps.clock.now())
  return untilCommitted(async () => {
    const now = deps.clock.now()
    const loaded = await loadCredits(deps.db, accountId)
    const facts = { ...loaded, now, settings }
    const change = settle(loaded.credits, facts)
    if (change.entries.length > 0) {
      await commit(deps.db, changeStatements(deps.db, accountId, change, now))
      forgetChanged(deps, accountId, change.entries)
    }
    return { credits: change.credits, facts }
  })
}

/** Most changes spend from the first one or two grants. */
const FIRST_GRANTS = 16

/** The outcome of a credit change. */
export interface CreditsDecision<Answer> extends Decision<Answer> {
  /** Committed with the statements. If omitted, the credits are only settled. */
  change?: Change
}

interface CreditsSteps<Facts, Answer> {
  /** Loads all facts in one round trip, including the account's credits with at most `grants_max` live grants. */
  load: (grants_max: number) => Promise<Facts>
  /** Upper limit on the credits that `decide` spends. Omit it if `decide` spends none. */
  spendsMax?: (facts: Facts) => number
  /** Pure, except that it can throw an ApiError to refuse the change. A refusal writes nothing. */
  decide: (facts: Facts, settled: Credits, now: number) => CreditsDecision<Answer>
}

/**
 * Runs one unit of work that changes credits under the account lock: settles the credits, decides, and commits
 * everything at once.
 */
export async function changeCredits<Facts extends { loaded: LoadedCredits }, Answer>(
  deps: Deps,
  accountId: number,
  { load, spendsMax = () => 0, decide }: CreditsSteps<Facts, Answer>,
): Promise<Answer> {
  const settings = await loadSettings(deps.db, deps.clock.now())
  const loadSettled = async (grants_max: number) => {
    const facts = await load(grants_max)
    const now = deps.clock.now()
    const { loaded } = facts
    return { facts, now, settled: settle(loaded.credits, { ...loaded, now, settings }) }
  }
  const { answer, entries } = await inTurn(accountId, () =>
    unitOfWork(deps, {
      load: async () => {
        const first = await loadSettled(FIRST_GRANTS)
        const { facts, settled } = first
        const page = { partial: facts.loaded.partial, settled }
        return isPageEnough(page, spendsMax(facts)) ? first : loadSettled(ALL_GRANTS)
      },
      decide: ({ facts, now, settled }) => {
        const { change, statements = [], effects = [], answer } = decide(facts, settled.credits, now)
        const whole = andThen(settled, (credits) => change ?? unchanged(credits))
        return {
          statements: [...statements, ...changeStatements(deps.db, accountId, whole, now)],
          effects,
          answer: { answer, entries: whole.entries },
        }
      },
    }),
  )
  forgetChanged(deps, accountId, entries)
  return answer
}

/** Invalidates this isolate's caches for the account. */
function forgetChanged(deps: CreditsDeps, accountId: number, entries: Change['entries']): void {
  balances.forget(deps.db, accountId)
  // A new plan month changes the limits.
  if (entries.some(({ delivers }) => delivers !== null)) forgetAccount(deps, accountId)
}
