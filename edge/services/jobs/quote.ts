import { loadSettings } from '../../db/settings.ts'
import type { Deps } from '../../deps.ts'
import type { AccountCaller } from '../../rules/caller.ts'
import { tariffOf } from '../../rules/submission.ts'
import { settleAccount } from '../credits/settle.ts'
import { checkOrder, type Submission } from './order.ts'

/**
 * What a job would cost: the base at submit, and the most it can come to. How long it will work can't
 * be known before, so the most is the tariff's ceiling. Spends nothing. Throws 400 and 404 as a submit does.
 */
export async function quoteJob(deps: Deps, { account }: AccountCaller, submission: Submission) {
  await checkOrder(deps, submission)
  const [settings, { balance }] = await Promise.all([
    loadSettings(deps.db, deps.clock.now()),
    settleAccount(deps, account.id),
  ])
  const { base_credits, max_credits } = tariffOf(settings)
  return {
    base_credits,
    max_credits: Math.max(base_credits, max_credits),
    balance,
    affordable: balance >= base_credits,
  }
}
