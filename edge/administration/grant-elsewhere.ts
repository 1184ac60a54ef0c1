import { z } from 'zod'
import { findAccountOf } from '../accounts/queries.ts'
import { changeCredits } from '../credits/change-credits.ts'
import { loadCredits } from '../credits/queries.ts'
import { grant } from '../credits/rules/ledger.ts'
import type { Deps } from '../deps.ts'
import { reportUnforeseen } from '../log.ts'
import { grantEffectId } from '../payments/rules/unmatched-events.ts'
import { findAnywhere } from '../platform/database/find-place.ts'
import type { Effect } from '../platform/outbox/queries.ts'

const Grant = z.object({
  account_id: z.int(),
  credits: z.int(),
  /** Can be booked once. */
  cause: z.string(),
  note: z.string(),
})

/** Returns the effect that grants credits to an account in another database than the one of the commit. */
export function grantEffect(given: z.infer<typeof Grant>): Effect {
  return { id: grantEffectId(given.cause), kind: 'grant', payload: given }
}

/** Carries out grantEffect, wherever the account is by now. Repeating it changes nothing. */
export async function sendGrant(asked: Deps, payload: unknown): Promise<void> {
  const { account_id, credits, cause, note } = Grant.parse(payload)
  const find = () => findAnywhere(asked, ({ db }) => findAccountOf(db, account_id))
  // An account that moves can be in neither: the target answered before it arrived, and the source after it had left.
  const place = (await find()) ?? (await find())
  if (place === null) {
    const text = `${credits} credits were granted for ${cause}, but account ${account_id} was deleted`
    return reportUnforeseen(new Error(text), { task: 'grant credits' })
  }
  const { deps } = place
  await changeCredits(deps, account_id, {
    load: async () => {
      const [loaded, { rows }] = await Promise.all([
        loadCredits(deps.db, account_id),
        deps.db.$client.execute({ sql: 'SELECT 1 FROM ledger WHERE cause = ?', args: [cause] }),
      ])
      return { loaded, is_booked: rows.length > 0 }
    },
    decide: ({ is_booked }, settled) => {
      if (is_booked) return { answer: null }
      const given = { amount: credits, expires_at: null, cause, note }
      return { change: grant(settled, { kind: 'adjust', ...given }), answer: null }
    },
  })
}
