import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { FaultContext } from './context.ts'
import type { FaultName } from './plan.ts'

const READY_MS_MAX = 90_000

/**
 * Breaks a part of the system and starts it again.
 * @returns false if there was nothing to break: no ffmpeg was running
 */
export async function breakPart(
  { system, data_directory }: FaultContext,
  fault: FaultName,
): Promise<boolean> {
  if (fault === 'ffmpeg') return killFfmpeg(join(data_directory, 'work'))
  const part = system.parts[fault === 'redis_wiped' ? 'redis' : fault]
  await part.kill()
  if (fault === 'redis_wiped') {
    await rm(join(data_directory, 'redis', 'appendonlydir'), { recursive: true, force: true })
  }
  await part.start()
  return true
}

/** Kills the ffmpeg of this system's fleet. Works only on Linux. */
async function killFfmpeg(work_directory: string): Promise<boolean> {
  for (let attempt = 0; attempt < 40; attempt++) {
    const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
    for (const pid of pids) {
      const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
      if (!/ffmpeg\0/.test(line) || !line.includes(work_directory)) continue
      process.kill(Number(pid), 'SIGKILL')
      return true
    }
    await delay(50)
  }
  return false
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
    await delay(200)
  }
}
