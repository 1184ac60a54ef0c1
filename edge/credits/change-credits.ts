import { forgetAccount } from '../accounts/authenticate.ts'
import type { Deps } from '../deps.ts'
import { inTurn } from '../platform/database/account-lock.ts'
import type { Statement } from '../platform/database/client.ts'
import { commit, untilCommitted } from '../platform/database/commit.ts'
import { loadSettings } from '../settings/queries.ts'
import { forgetBalance } from './balance-cache.ts'
import { changeStatements, type LoadedCredits, loadCredits } from './queries.ts'
import { settle } from './rules/allowance.ts'
import { andThen, type Change, type Credits, GrantsMissing } from './rules/ledger.ts'

type CreditsDeps = Pick<Deps, 'db' | 'clock'>

/** Brings an account's credits up to the present and answers them; writes only where something is due. */
export async function settleAccount(deps: CreditsDeps, accountId: number): Promise<Credits> {
  const settings = await loadSettings(deps.db, deps.clock.now())
  return untilCommitted(async () => {
    const now = deps.clock.now()
    const loaded = await loadCredits(deps.db, accountId)
    const change = settle(loaded.credits, { ...loaded, now, settings })
    if (change.entries.length > 0) await commitChange(deps, accountId, change, [])
    return change.credits
  })
}

/** Most changes take from the first one or two. */
const FIRST_GRANTS = 16

/** What an attempt to change credits comes to. */
export interface Decision<Answer> {
  change: Change
  /** Written in the same commit as the change. */
  statements: Statement[]
  answer: Answer
}

/**
 * The way of every change of credits: load the facts, bring the credits up to the present, decide, and
 * commit it all at once; again from the start when another writer was first.
 * @param load reads all facts in one round trip, the account's credits among them: it is given how many of
 * the live grants to load, and called once more for all of them where the first ones do not suffice.
 * @param decide is pure but for the refusals it throws as ApiError; then nothing is written.
 */
export function changeCredits<Facts extends { loaded: LoadedCredits }, Answer>(
  deps: CreditsDeps,
  accountId: number,
  load: (grants_max?: number) => Promise<Facts>,
  decide: (facts: Facts, settled: Credits, now: number) => Decision<Answer>,
): Promise<Answer> {
  return inTurn(accountId, async () => {
    const settings = await loadSettings(deps.db, deps.clock.now())
    const attempt = async (grants_max?: number) => {
      const facts = await load(grants_max)
      const now = deps.clock.now()
      const settled = settle(facts.loaded.credits, { ...facts.loaded, now, settings })
      if (facts.loaded.credits.partial && settled.entries.some((entry) => entry.grant !== null)) {
        throw new GrantsMissing('what landed just now may belong behind grants that were not loaded')
      }
      const { change, statements, answer } = decide(facts, settled.credits, now)
      const whole = andThen(settled, () => change)
      await commitChange(deps, accountId, whole, statements)
      return answer
    }
    return untilCommitted(() =>
      attempt(FIRST_GRANTS).catch((error) => {
        if (error instanceof GrantsMissing) return attempt()
        throw error
      }),
    )
  })
}

async function commitChange(deps: CreditsDeps, accountId: number, change: Change, statements: Statement[]) {
  await commit(deps.db, [...statements, ...changeStatements(deps.db, accountId, change, deps.clock.now())])
  forgetBalance(deps, accountId)
  // With a month of a plan its limits come into force.
  if (change.entries.some(({ delivers }) => delivers !== null)) forgetAccount(deps, accountId)
}
