import type { Deps, EffectHandler } from '../../deps.ts'
import { settleAll } from '../settle-all.ts'
import { untilNothingDue } from '../until-nothing-due.ts'
import { acknowledgeEffects, claimDueEffects, type Effect } from './queries.ts'

const ROWS_MAX = 100

/**
 * Resends effects that were not acknowledged in time, page by page. Every effect is safe to send twice. Throws the
 * first failure after all attempts have finished.
 */
export async function resendEffects(deps: Deps): Promise<void> {
  const faults: unknown[] = []
  await untilNothingDue(async () => {
    const claimed = await claimDueEffects(deps.db, deps.clock.now(), ROWS_MAX)
    await sendEffects(deps, claimed).catch((error) => faults.push(error))
    return claimed.length > 0
  })
  if (faults.length > 0) throw faults[0]
}

/**
 * Passes committed effects to the handlers for their kinds. Throws the first failure after all attempts have
 * finished.
 */
export async function sendEffects(deps: Deps, effects: readonly Effect[]): Promise<void> {
  const byKind = Map.groupBy(effects, ({ kind }) => kind)
  await settleAll([...byKind].map(([kind, own]) => handlerOf(deps, kind)(deps, own)))
}

/** Leaves effects of unknown kinds in the outbox: a newer version of the Worker may have written them. */
function handlerOf({ effects }: Deps, kind: Effect['kind']): EffectHandler {
  if (Object.hasOwn(effects, kind)) return effects[kind]
  return async () => {
    throw new Error(`effects of the unknown kind ${kind} stay in the outbox`)
  }
}

/** Returns a handler that sends effects one at a time and acknowledges each one once it is sent. */
export function sendEach(send: (deps: Deps, effect: Effect) => Promise<void>): EffectHandler {
  return (deps, effects) =>
    settleAll(
      effects.map(async (effect) => {
        await send(deps, effect)
        await acknowledgeEffects(deps.db, [effect.id])
      }),
    )
}
