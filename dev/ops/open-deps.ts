import type { Deps } from '../../edge/deps.ts'
import type { Env } from '../../edge/env.ts'
import type { Settings } from '../../edge/environment/settings.ts'
import { deliverDispatches } from '../../edge/jobs/dispatch.ts'
import { openPayments } from '../../edge/payments/providers.ts'
import { openDatabase } from '../../edge/platform/database/client.ts'
import { openDatabases } from '../../edge/platform/database/open-databases.ts'
import { openFleet } from '../../edge/platform/fleet.ts'
import '../system/worker-globals.ts'
import { readOpsSettings } from './settings.ts'

/** The commands read all rows of large tables and accounts in one request. */
export const ANSWER_MS_MAX = 60_000

/** What the commands need from the edge: its use cases run here on the same database. */
export type OpsDeps = Deps

/**
 * Opens the dependencies of the edge's use cases. Dispatches go to the fleet at once. All other effects stay in the
 * outbox, from which the Worker sends them within a minute.
 */
export function openOps(variables: NodeJS.ProcessEnv): OpsDeps {
  return openOpsWith(readOpsSettings(variables))
}

export function openOpsWith(settings: Settings): OpsDeps {
  const effects = new Proxy({} as Deps['effects'], {
    has: () => true,
    getOwnPropertyDescriptor: () => ({ configurable: true, enumerable: true, writable: true }),
    get: (_target, kind) => (kind === 'dispatch' ? sendToFleet : leaveInOutbox),
  })
  const databases = openDatabases(settings, undefined, { answer_ms_max: ANSWER_MS_MAX })
  const [db] = databases
  const deps: Partial<Deps> = {
    // The use cases of the commands need no bindings of the platform.
    env: settings as Env,
    locale: 'en',
    db,
    databases,
    logs: db,
    archive:
      settings.ARCHIVE_DATABASE_URL === undefined
        ? null
        : openDatabase(settings.ARCHIVE_DATABASE_URL, settings.ARCHIVE_DATABASE_AUTH_TOKEN),
    progress: NO_PROGRESS,
    clock: { now: () => Date.now() },
    fleet: openFleet(settings),
    payments: openPayments(settings),
    mailer: null,
    effects,
    defer: (work) => void work.catch((error) => console.error(error)),
  }
  return deps as Deps
}

const sendToFleet: Deps['effects'][keyof Deps['effects']] = async (deps, effects) => {
  const refused = await deliverDispatches(
    deps,
    effects.map(({ payload }) => payload),
  )
  if (refused.length > 0) throw new Error(`The fleet cannot read ${refused.length} dispatches.`)
}

/** The Worker holds the progress of running jobs, which a command on another machine cannot read. */
const NO_PROGRESS: Deps['progress'] = {
  beat: async () => 'unknown',
  confirm: async () => undefined,
  forget: async () => undefined,
  read: async () => new Map(),
}

const leaveInOutbox = async () => undefined
