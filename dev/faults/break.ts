import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { listDescendants } from '../system/process-tree.ts'
import { waitUntil } from '../system/wait.ts'
import type { FaultContext } from './context.ts'
import type { FaultName } from './plan.ts'

const READY_MS_MAX = 90_000
const FFMPEG_MS_MAX = 2000

/**
 * Breaks a part of the system with SIGKILL and starts it again.
 * @returns false if there was nothing to break: no ffmpeg was running
 */
export async function breakPart(
  { system, data_directory }: FaultContext,
  fault: FaultName,
): Promise<boolean> {
  if (fault === 'ffmpeg') return killFfmpeg(system.parts.fleet.pid)
  if (fault === 'edge') return killWorker(system.parts.edge)
  const part = system.parts[fault === 'redis_wiped' ? 'redis' : fault]
  await part.kill()
  if (fault === 'redis_wiped') {
    await rm(join(data_directory, 'redis', 'appendonlydir'), { recursive: true, force: true })
  }
  await part.start()
  return true
}

/** Kills workerd, which runs the Worker, its Durable Objects and its queues. Miniflare starts it again. */
async function killWorker({ pid, definition }: FaultContext['system']['parts']['edge']): Promise<boolean> {
  const killed = pid === null ? [] : listDescendants(pid, 'workerd')
  for (const one of killed) process.kill(one, 'SIGKILL')
  await waitUntil('the edge', definition.isReady, READY_MS_MAX)
  return killed.length > 0
}

/** Kills an ffmpeg of the fleet as soon as one runs. */
async function killFfmpeg(fleet: number | null): Promise<boolean> {
  const until = Date.now() + FFMPEG_MS_MAX
  while (fleet !== null && Date.now() < until) {
    const [pid] = listDescendants(fleet, 'ffmpeg')
    if (pid !== undefined && isKilled(pid)) return true
    await delay(10)
  }
  return false
}

/** @returns false if the process has just ended */
function isKilled(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL')
  } catch {
    return false
  }
}

export async function waitUntilReady({ client }: FaultContext): Promise<void> {
  const until = Date.now() + READY_MS_MAX
  for (;;) {
    const status = await client.readiness().then(
      ({ http_status }) => http_status,
      () => 0,
    )
    if (status === 200) return
    if (Date.now() > until) throw new Error('The system did not recover.')
    await delay(20)
  }
}
