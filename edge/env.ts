import { describeFaults, type SettingFault } from '../shared/settings/setting-rule.ts'
import { findEnvFaults } from './environment/find-env-faults.ts'
import { Settings } from './environment/settings.ts'
import type { FleetQueue } from './jobs/fleet-queue.ts'
import type { JobProgress } from './jobs/progress/job-progress.ts'
import type { QuotaCounter } from './platform/quotas/quota-counter.ts'

/** Bindings in wrangler.toml that are platform objects instead of text. */
interface Bindings {
  BUCKET: R2Bucket
  DISPATCH: Queue<unknown>
  /** Queue for request logs and web events. */
  RECORDS: Queue<unknown>
  QUOTAS: DurableObjectNamespace<QuotaCounter>
  /** The id of the fleet's queue, in one object. */
  FLEET_QUEUE: DurableObjectNamespace<FleetQueue>
  /** Runs the scheduled tasks of one database, by its number. */
  DATABASE_TASKS: DurableObjectNamespace<Rpc.DurableObjectBranded & { run(number: number): Promise<void> }>
  /** Progress of running jobs. */
  PROGRESS: DurableObjectNamespace<JobProgress>
  /** Static files: pages, and the API reference viewer at /docs. */
  ASSETS: Fetcher
}
const BINDINGS = [
  ...([
    'BUCKET',
    'DISPATCH',
    'RECORDS',
    'QUOTAS',
    'FLEET_QUEUE',
    'DATABASE_TASKS',
    'PROGRESS',
    'ASSETS',
  ] as const),
] as const satisfies (keyof Bindings)[]

export type Env = Settings & Bindings

/** The Worker cannot run with its settings. The message names each one that is wrong, without its value. */
export class InvalidSettings extends Error {
  constructor(faults: readonly SettingFault[]) {
    super(`The settings of the Worker are invalid.\n${describeFaults(faults)}`)
  }
}

const parsed = new WeakMap<object, Env | InvalidSettings>()

/**
 * Parses the Worker's environment once per isolate.
 * @throws InvalidSettings
 */
export function parseEnv(raw: object): Env {
  const env = parsed.get(raw) ?? readEnv(raw)
  parsed.set(raw, env)
  if (env instanceof InvalidSettings) throw env
  return env
}

function readEnv(raw: object): Env | InvalidSettings {
  const bindings = raw as Bindings
  const texts = Object.entries(raw).filter(([, value]) => typeof value === 'string')
  const missing = BINDINGS.filter((name) => bindings[name] === undefined)
  const faults = [
    ...findEnvFaults(Object.fromEntries(texts)),
    ...missing.map((name) => ({ name, problem: 'is missing. Add the binding to wrangler.toml.' })),
  ]
  if (faults.length > 0) return new InvalidSettings(faults)
  const { BUCKET, DISPATCH, RECORDS, QUOTAS, FLEET_QUEUE, DATABASE_TASKS, PROGRESS, ASSETS } = bindings
  const objects = { BUCKET, DISPATCH, RECORDS, QUOTAS, FLEET_QUEUE, DATABASE_TASKS, PROGRESS, ASSETS }
  return { ...Settings.parse(raw), ...objects }
}
