import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect } from 'vitest'
import type { Client } from '../../dev/client.ts'
import type { PartName } from '../../dev/system/parts.ts'
import type { SystemOptions } from '../../dev/system/system.ts'
import { startTestSystem, type TestSystem } from '../system/start-test-system.ts'

/**
 * A job of a dead worker is taken over at once, and a failed attempt is soon repeated: often enough to outlive
 * the start of a part on a slow machine.
 */
export const HASTY = { LOCK_SECONDS: '2', RETRY_MS: '200', ATTEMPTS_MAX: '10' }
/** Never within a test: what is scheduled runs when a test lets its time pass (see inside.ts). */
export const NEVER_MS = 3_600_000

/** A system for the tests of one file alone, which may break any part of it. */
export function useOwnSystem(
  prepare: () => Promise<
    Pick<SystemOptions, 'fleet' | 'edge'> & Partial<Pick<SystemOptions, 'ports'>>
  > = async () => ({}),
): () => TestSystem {
  let system: TestSystem | null = null
  beforeAll(async () => {
    const { fleet, ...options } = await prepare()
    system = await startTestSystem({ ...options, fleet: { ...HASTY, ...fleet }, cron_interval_ms: NEVER_MS })
  })
  afterAll(() => system?.stop())
  return () => {
    if (system === null) throw new Error('the system has not started')
    return system
  }
}

export async function waitUntilReady(client: Client): Promise<void> {
  const readStatus = async () => (await client.readiness()).http_status
  await expect.poll(readStatus, { timeout: 30_000, interval: 100 }).toBe(200)
}

/** Waits until a part has written this into its log, more often than before. */
export async function waitForLog(
  system: TestSystem,
  name: PartName,
  text: string,
  cause: () => Promise<unknown>,
): Promise<void> {
  const count = () => readFileSync(system.parts[name].definition.logFile, 'utf8').split(text).length
  const before = count()
  await cause()
  await expect.poll(count, { timeout: 30_000, interval: 50 }).toBeGreaterThan(before)
}
