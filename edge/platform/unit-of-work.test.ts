import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { makeTestContext } from '../../test/edge/worker/context.ts'
import type { Deps } from '../deps.ts'
import { LostRace } from './database/commit.ts'
import { guardStatement } from './database/guard.ts'
import { acknowledgeEffects, type Effect } from './outbox/queries.ts'
import { commitOnce, type Sending, unitOfWork } from './unit-of-work.ts'

const { deps } = makeTestContext()

interface Sent {
  deps: Deps
  sent: Effect[]
  deferred: Promise<unknown>[]
}

/** Returns deps that record effects of one kind. If an error is given, each of those effects fails with it. */
function recording(failure: Error | null = null): Sent {
  const sent: Effect[] = []
  const deferred: Promise<unknown>[] = []
  const mail = async (_deps: Deps, effects: readonly Effect[]) => {
    sent.push(...effects)
    if (failure !== null) throw failure
    await acknowledgeEffects(
      deps.db,
      effects.map(({ id }) => id),
    )
  }
  const defer = (work: Promise<unknown>) => void deferred.push(work.catch((error) => error))
  return { deps: { ...deps, effects: { ...deps.effects, mail }, defer }, sent, deferred }
}

const makeEffect = (): Effect => ({ id: `mail:${crypto.randomUUID()}`, kind: 'mail', payload: {} })

async function isInOutbox({ id }: Effect): Promise<boolean> {
  const { rows } = await deps.db.$client.execute({ sql: 'SELECT id FROM outbox WHERE id = ?', args: [id] })
  return rows.length > 0
}

describe('a unit of work', () => {
  test('commits effects with its statements and sends them afterwards', async () => {
    const testContext = recording()
    const effect = makeEffect()
    const load = async () => 'fact'
    const answer = await unitOfWork(testContext.deps, {
      load,
      decide: (fact) => ({ effects: [effect], answer: `answer by a ${fact}` }),
    })
    expect(answer).toBe('answer by a fact')
    await Promise.all(testContext.deferred)
    expect(testContext.sent).toEqual([effect])
    expect(await isInOutbox(effect)).toBe(false)
  })

  test('sends nothing for an attempt that lost a race, and loads its facts again', async () => {
    const testContext = recording()
    const effects = [makeEffect(), makeEffect()]
    let attempts = 0
    const answer = await unitOfWork(testContext.deps, {
      load: async () => attempts++,
      decide: (attempt) => ({
        statements: [guardStatement(deps.db, sql`${attempt} > 0`)],
        effects: effects.slice(attempt, attempt + 1),
        answer: attempt,
      }),
    })
    await Promise.all(testContext.deferred)
    expect([answer, attempts]).toEqual([1, 2])
    expect(testContext.sent).toEqual(effects.slice(1))
    expect(await Promise.all(effects.map(isInOutbox))).toEqual([false, false])
  })

  test('that is refused writes and sends nothing', async () => {
    const testContext = recording()
    const refused = unitOfWork(testContext.deps, {
      load: async () => null,
      decide: () => {
        throw new Error('refused')
      },
    })
    await expect(refused).rejects.toThrow('refused')
    expect(testContext.deferred).toEqual([])
  })

  test.each<[Sending, number, boolean]>([
    ['after answer', 1, false],
    ['before answer', 1, false],
    ['in task', 1, true],
    ['by outbox', 0, false],
  ])('whose effects go %s keeps a failed one in the outbox', async (sending, sends, throws) => {
    const failure = new Error('the receiver is down')
    const testContext = recording(failure)
    const effect = makeEffect()
    const done = commitOnce(testContext.deps, { effects: [effect], answer: 'done' }, sending)
    if (throws) await expect(done).rejects.toBe(failure)
    else expect(await done).toBe('done')
    await Promise.all(testContext.deferred)
    expect(testContext.sent).toHaveLength(sends)
    expect(await isInOutbox(effect)).toBe(true)
    await acknowledgeEffects(deps.db, [effect.id])
  })

  test('without retries throws when it lost a race', async () => {
    const statements = [guardStatement(deps.db, sql`1 = 0`)]
    await expect(commitOnce(deps, { statements, answer: null })).rejects.toBeInstanceOf(LostRace)
  })
})
