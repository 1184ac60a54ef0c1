import { forgetAccount } from '../accounts/authenticate.ts'
import type { Deps } from '../deps.ts'
import { inTurn } from '../platform/database/account-lock.ts'
import { commit, untilCommitted } from '../platform/database/commit.ts'
import { type Decision, unitOfWork } from '../platform/unit-of-work.ts'
import { loadSettings } from '../settings/queries.ts'
import { balances } from './balance-cache.ts'
import { ALL_GRANTS, changeStatements, type LoadedCredits, loadCredits } from './queries.ts'
import { settle } from './rules/allowance.ts'
import { isPageEnough } from './rules/grant-page.ts'
import { andThen, type Change, type Credits, unchanged } from './rules/ledger.ts'

type CreditsDeps = Pick<Deps, 'db' | 'clock'>

/** Brings an account's credits up to the present and answers them; writes only where something is due. */
export async function settleAccount(deps: CreditsDeps, accountId: number): Promise<Credits> {
  const settings = await loadSettings(deps.db, deps.clock.now())
  return untilCommitted(async () => {
    const now = deps.clock.now()
    const loaded = await loadCredits(deps.db, accountId)
    const change = settle(loaded.credits, { ...loaded, now, settings })
    if (change.entries.length > 0) {
      await commit(deps.db, changeStatements(deps.db, accountId, change, now))
      forgetChanged(deps, accountId, change.entries)
    }
    return change.credits
  })
}

/** Most changes take from the first one or two. */
const FIRST_GRANTS = 16

/** What a change of credits comes to. */
export interface CreditsDecision<Answer> extends Decision<Answer> {
  /** Written in the same commit; without it the credits are only brought up to the present. */
  change?: Change
}

interface CreditsSteps<Facts, Answer> {
  /** Reads all facts in one round trip, the account's credits among them with so many of the live grants. */
  load: (grants_max: number) => Promise<Facts>
  /** The most credits that `decide` takes; where it takes none, as when it grants, it is left out. */
  spendsMax?: (facts: Facts) => number
  /** Pure, but for the refusals it throws as ApiError; then nothing is written. */
  decide: (facts: Facts, settled: Credits, now: number) => CreditsDecision<Answer>
}

/**
 * The unit of work of every change of credits, under the account's lock: the credits are brought up to the present
 * before the decision, and all is written in one commit.
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

/** Ends what this isolate remembers of the account. */
function forgetChanged(deps: CreditsDeps, accountId: number, entries: Change['entries']): void {
  balances.forget(deps.db, accountId)
  // With a month of a plan its limits come into force.
  if (entries.some(({ delivers }) => delivers !== null)) forgetAccount(deps, accountId)
}
