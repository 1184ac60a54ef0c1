import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { defineParts } from '../dev/system/parts.ts'
import { findFreePorts, LOOPBACK } from '../dev/system/ports.ts'
import { Part } from '../dev/system/processes.ts'
import { makeSecrets } from '../dev/system/secrets.ts'
import { startWatch } from '../dev/system/watch.ts'

/** What of the edge's configuration a bare Worker is given: behind static files a request takes one step more. */
const Config = z.object({
  compatibility_date: z.string(),
  compatibility_flags: z.array(z.string()),
  assets: z.looseObject({}),
})

/** A bare Worker of this folder under wrangler dev, started by the same arguments as the edge. */
export async function startBareWorker(
  dataDirectory: string,
  program: 'bare-worker' | 'bare-writer',
  vars: Record<string, string> = {},
): Promise<{ url: string; stop(): Promise<void> }> {
  const ports = await findFreePorts()
  const definition = defineParts({
    dataDirectory,
    ports,
    secrets: makeSecrets(),
    fleet: {},
    edge: {},
  }).edge
  // The configuration just written, with another program and without its bindings.
  const file = join(dataDirectory, 'edge/wrangler.json')
  const config = Config.parse(JSON.parse(readFileSync(file, 'utf8')))
  const main = join(import.meta.dirname, `${program}.ts`)
  writeFileSync(file, JSON.stringify({ name: program, main, vars, ...config }))
  const watch = startWatch()
  const part = new Part(definition, watch.tell, () => {})
  const stop = async () => {
    await part.stop()
    await watch.end()
  }
  try {
    await part.start()
  } catch (error) {
    await stop()
    throw error
  }
  return { url: `http://${LOOPBACK}:${ports.edge}/api/bare`, stop }
}
