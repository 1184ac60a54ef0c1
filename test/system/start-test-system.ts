import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePorts } from '../../scripts/system/ports.ts'
import { type System, type SystemOptions, startSystem } from '../../scripts/system/system.ts'

/**
 * The whole real system on free ports and in a folder of its own, which `stop` removes. A fault test
 * starts one for itself, so that what it breaks is not another test's system.
 */
export async function startTestSystem(
  options: Omit<SystemOptions, 'ports' | 'dataDirectory'> = {},
): Promise<System> {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'media-system-'))
  const remove = () => rmSync(dataDirectory, { recursive: true, force: true })
  try {
    const system = await startSystem({ ...options, ports: await findFreePorts(), dataDirectory })
    return {
      ...system,
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
