import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { defineParts, runBuiltWorker } from '../dev/system/parts.ts'
import { findFreePorts, LOOPBACK } from '../dev/system/ports.ts'
import { Part } from '../dev/system/processes.ts'
import { makeSecrets } from '../dev/system/secrets.ts'
import { startWatch } from '../dev/system/watch.ts'

/**
 * Configuration that a bare Worker shares with the edge. Static assets are included because they add a step to each
 * request.
 */
const Config = z.object({
  compatibility_date: z.string(),
  compatibility_flags: z.array(z.string()),
  assets: z.looseObject({}),
})

/** Starts a bare Worker from this folder as the bench starts the edge. */
export async function startBareWorker(
  dataDirectory: string,
  workerName: 'bare-worker' | 'bare-writer',
  vars: Record<string, string> = {},
): Promise<{ url: string; stop(): Promise<void> }> {
  const ports = await findFreePorts()
  const partDefinition = defineParts({
    dataDirectory,
    ports,
    secrets: makeSecrets(),
    fleet: {},
    edge: {},
    edge_command: runBuiltWorker,
  }).edge
  // Reuse the edge's configuration with another entry point and no bindings.
  const file = join(dataDirectory, 'edge/wrangler.json')
  const config = Config.parse(JSON.parse(readFileSync(file, 'utf8')))
  const main = join(import.meta.dirname, `${workerName}.ts`)
  writeFileSync(file, JSON.stringify({ name: workerName, main, vars, ...config }))
  const watch = startWatch()
  const part = new Part(partDefinition, watch.update, () => {})
  const stop = async () => {
    await part.stop()
    await watch.stop()
  }
  try {
    await part.start()
  } catch (error) {
    await stop()
    throw error
  }
  return { url: `http://${LOOPBACK}:${ports.edge}/api/bare`, stop }
}
