import { type Database, openDatabase } from './db/client.ts'
import type { Env } from './env.ts'
import { reportUnforeseen } from './http/errors.ts'
import { type Fleet, openFleet } from './integrations/fleet.ts'
import { openStorage, type Storage } from './integrations/storage.ts'

export interface Clock {
  now(): number
}

/** All that services reach the world by. Tests lay a clock of their own over it. */
export interface Deps {
  env: Env
  db: Database
  clock: Clock
  storage: Storage
  fleet: Fleet
  /** Work that goes on after the answer. Whatever must not be lost is in the outbox as well. */
  defer(work: Promise<unknown>): void
}

const shared = new WeakMap<Env, Omit<Deps, 'defer'>>()

export function depsFor(env: Env, context: Pick<ExecutionContext, 'waitUntil'>): Deps {
  let common = shared.get(env)
  if (common === undefined) {
    common = {
      env,
      db: openDatabase(env.DATABASE_URL, env.DATABASE_AUTH_TOKEN),
      clock: { now: () => Date.now() },
      storage: openStorage(env),
      fleet: openFleet(env),
    }
    shared.set(env, common)
  }
  const defer = (work: Promise<unknown>) =>
    context.waitUntil(work.catch((error) => reportUnforeseen(error, 'deferred work')))
  return { ...common, defer }
}
