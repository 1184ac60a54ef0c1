import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { findFreePorts } from '../../scripts/system/ports.ts'
import { makeSecrets } from '../../scripts/system/secrets.ts'
import { startDatabase } from '../../scripts/system/system.ts'
import { localSecrets, localVars } from '../../scripts/system/wrangler-config.ts'

declare module 'vitest' {
  interface ProvidedContext {
    edge_bindings: Record<string, string>
  }
}

/** A real, migrated and seeded sqld for the tests inside workerd, and the settings that lead to it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'media-edge-'))
  const ports = await findFreePorts()
  const secrets = makeSecrets()
  const stop = await startDatabase({ ports, dataDirectory, secrets })
  project.provide('edge_bindings', { ...localVars(ports), ...localSecrets(secrets) })
  return async () => {
    await stop()
    rmSync(dataDirectory, { recursive: true, force: true })
  }
}
