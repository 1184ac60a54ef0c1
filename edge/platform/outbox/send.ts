import type { Deps, EffectHandler } from '../../deps.ts'
import { settleAll } from '../settle-all.ts'
import { acknowledgeEffects, type Effect, takeDueEffects } from './queries.ts'

const ROWS_MAX = 100

/**
 * Sends what was not acknowledged in time again. Every effect may be sent twice without harm.
 * Throws the first failure, when all have had their turn.
 */
export async function resendEffects(deps: Deps): Promise<void> {
  await sendEffects(deps, await takeDueEffects(deps.db, deps.clock.now(), ROWS_MAX))
}

/** Hands effects that are committed to the handlers of their kinds. Throws the first failure, when all had their turn. */
export async function sendEffects(deps: Deps, effects: readonly Effect[]): Promise<void> {
  const byKind = Map.groupBy(effects, ({ kind }) => kind)
  await settleAll([...byKind].map(([kind, own]) => handlerOf(deps, kind)(deps, own)))
}

/** A newer version of the Worker may have written kinds that this one does not know: they stay in the outbox. */
function handlerOf({ effects }: Deps, kind: Effect['kind']): EffectHandler {
  if (Object.hasOwn(effects, kind)) return effects[kind]
  return async () => {
    throw new Error(`effects of the unknown kind ${kind} stay in the outbox`)
  }
}

/** A handler that sends each effect by itself, and acknowledges it as soon as it is sent. */
export function sendEach(send: (deps: Deps, effect: Effect) => Promise<void>): EffectHandler {
  return (deps, effects) =>
    settleAll(
      effects.map(async (effect) => {
        await send(deps, effect)
        await acknowledgeEffects(deps.db, [effect.id])
      }),
    )
}
