import { setTimeout as delay } from 'node:timers/promises'
import { checkEnvironment } from './check-environment.ts'
import { type Fleet, startFleet } from './fleet.ts'
import { countIsolation } from './metrics/job-metrics.ts'
import { checkIsolation } from './runtime/check-isolation.ts'
import { hideMemory } from './runtime/hide-memory.ts'
import { errorText, log } from './runtime/log.ts'

const CLOSING_MS_MAX = 10_000

try {
  const environment = checkEnvironment(process.env)
  hideMemory()
  countIsolation(checkIsolation(environment))
  const fleet = await startFleet(environment)
  fleet.drained.then(() => close(fleet))
  let is_stopping = false
  for (const name of ['SIGTERM', 'SIGINT'] as const)
    process.on(name, () => {
      // A second signal ends the wait for running jobs.
      if (is_stopping) return close(fleet)
      is_stopping = true
      stop(fleet, environment.DRAIN_SECONDS)
    })
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}

/** Waits for running jobs as long as DRAIN_SECONDS allows, and then returns the others to their lanes. */
async function stop(fleet: Fleet, drain_seconds: number): Promise<void> {
  if (drain_seconds > 0) await Promise.race([fleet.drain(), delay(drain_seconds * 1000)])
  close(fleet)
}

let closing: Promise<void> | null = null

/**
 * Closes the fleet once. Other workers take over jobs that cannot be released in time when their locks in Redis
 * expire.
 */
function close(fleet: Fleet): void {
  if (closing !== null) return
  setTimeout(() => process.exit(1), CLOSING_MS_MAX).unref()
  closing = fleet.close()
  closing.then(
    () => process.exit(0),
    (error: unknown) => {
      log('close_failed', { error: errorText(error) })
      process.exit(1)
    },
  )
}
