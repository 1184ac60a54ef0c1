import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect } from 'vitest'
import type { Client } from '../../dev/client.ts'
import type { PartName } from '../../dev/system/parts.ts'
import type { SystemOptions } from '../../dev/system/system.ts'
import { startTestSystem, type TestSystem } from '../system/start-test-system.ts'

/**
 * Reassigns a dead worker's jobs quickly. Retries failed attempts soon, and often enough to outlast a part's
 * restart on a slow machine.
 */
export const FAST_RECOVERY = { LOCK_SECONDS: '2', RETRY_MS: '200', ATTEMPTS_MAX: '10' }
/** An interval longer than any test. Tests run the scheduled tasks themselves (see inside.ts). */
export const NEVER_MS = 3_600_000

/** Starts a system for one test file, which may kill any part of it. */
export function useOwnSystem(
  prepare: () => Promise<
    Pick<SystemOptions, 'fleet' | 'edge' | 'account_databases'> & Partial<Pick<SystemOptions, 'ports'>>
  > = async () => ({}),
): () => TestSystem {
  let system: TestSystem | null = null
  beforeAll(async () => {
    const { fleet, ...options } = await prepare()
    system = await startTestSystem({
      ...options,
      fleet: { ...FAST_RECOVERY, ...fleet },
      cron_interval_ms: NEVER_MS,
    })
  })
  afterAll(() => system?.stop())
  return () => {
    if (system === null) throw new Error('The system has not started.')
    return system
  }
}

export async function waitUntilReady(client: Client): Promise<void> {
  const readStatus = async () => (await client.readiness()).http_status
  await expect.poll(readStatus, { interval: 100 }).toBe(200)
}

/** Runs `cause` and waits until a part writes `text` to its log again. */
export async function waitForLog(
  system: TestSystem,
  name: PartName,
  text: string,
  cause: () => Promise<unknown>,
): Promise<void> {
  const count = () => readFileSync(system.parts[name].definition.logFile, 'utf8').split(text).length
  const before = count()
  await cause()
  await expect.poll(count, { interval: 50 }).toBeGreaterThan(before)
}
