import { checkEnvironment } from './check-environment.ts'
import { startFleet } from './fleet.ts'
import { errorText, log } from './runtime/log.ts'

const CLOSING_MS_MAX = 10_000

try {
  const fleet = await startFleet(checkEnvironment(process.env))
  for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => close(fleet.close))
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}

/**
 * Closes the fleet. Other workers take over jobs that cannot be released in time when their locks in Redis expire.
 */
function close(closeFleet: () => Promise<void>): void {
  setTimeout(() => process.exit(1), CLOSING_MS_MAX).unref()
  closeFleet().then(
    () => process.exit(0),
    (error: unknown) => {
      log('close_failed', { error: errorText(error) })
      process.exit(1)
    },
  )
}
