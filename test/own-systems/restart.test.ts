/** @module-tag extended */

import { expect, test } from 'vitest'
import type { PartName } from '../../dev/system/parts.ts'
import { waitUntil } from '../../dev/system/wait.ts'
import { useSecondSystem } from '../support/second-system.ts'

const system = useSecondSystem()

async function readReadiness(): Promise<{ status: number; checks: unknown }> {
  const response = await fetch(`${system().api_url}/api/ready`, { signal: AbortSignal.timeout(15_000) })
  const { checks } = (await response.json()) as { checks: unknown }
  return { status: response.status, checks }
}

async function waitUntilReady(): Promise<void> {
  await waitUntil('the system', async () => (await readReadiness()).status === 200, 30_000)
}

test.each<PartName>(['database', 'redis', 'mail', 'identity', 'fleet', 'edge'])(
  'the system recovers when %s is killed and restarted',
  async (name) => {
    const part = system().parts[name]
    const before = part.pid
    await part.kill()
    expect(part.pid).toBeNull()
    await part.start()
    expect(part.pid).not.toBe(before)
    await waitUntilReady()
    expect(system().deaths).toEqual([])
  },
)

test.each([
  ['redis', { database: 'ok', cache: 'down' }],
  ['fleet', { database: 'ok', cache: 'down' }],
  ['database', { database: 'down', cache: 'ok' }],
] as const)('the service reports that it is not ready while %s is down', async (name, checks) => {
  await waitUntilReady()
  await system().parts[name].kill()
  // The readiness response is cached for one second.
  await expect.poll(readReadiness).toEqual({ status: 503, checks })
  await system().parts[name].start()
  await waitUntilReady()
})
