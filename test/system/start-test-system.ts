import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePorts } from '../../dev/system/ports.ts'
import { GENEROUS_LIMITS } from '../../dev/system/settings.ts'
import { type System, type SystemOptions, startSystem } from '../../dev/system/system.ts'

type TestSystemOptions = Partial<Omit<SystemOptions, 'dataDirectory'>>

export interface TestSystem extends System {
  /** Folder that the fleet uses only for the temporary files of running jobs. */
  work_directory: string
}

/** Starts the whole system on free ports with a separate data directory, which `stop` removes. */
export async function startTestSystem(options: TestSystemOptions = {}): Promise<TestSystem> {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'media-system-'))
  const remove = () => rmSync(dataDirectory, { recursive: true, force: true })
  try {
    const ports = options.ports ?? (await findFreePorts())
    // On a busy machine the database answers slowly, and tests send many requests at once.
    const edge = { REQUESTS_IN_FLIGHT_MIN: '1000', ...options.edge }
    const system = await startSystem({ settings: GENEROUS_LIMITS, ...options, edge, ports, dataDirectory })
    return {
      ...system,
      work_directory: join(dataDirectory, 'work'),
      stop: async () => {
        await system.stop()
        remove()
      },
    }
  } catch (error) {
    remove()
    throw error
  }
}
