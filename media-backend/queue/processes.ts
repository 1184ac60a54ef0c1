import { hostname } from 'node:os'
import type { Redis } from 'ioredis'
import { z } from 'zod'
import { DrainRequest, FleetProcess, isDrained } from '../../shared/protocol/processes.ts'
import { errorText, log } from '../runtime/log.ts'
import { readJson } from './read-json.ts'

export const DRAIN_CHANNEL = 'media-backend-drain'
/** A hash of all processes by name. */
const PROCESSES_KEY = 'media-backend-processes'
const REFRESH_MS = 10_000
/** A process that has not described itself for this long has died. */
const GONE_MS = 60_000

const Entry = FleetProcess.extend({ seen_ms: z.number() })

export interface Presence {
  name: string
  /** Describes the process at once, after a change. */
  refresh(): Promise<void>
  close(): Promise<void>
}

/** Describes this process in Redis every ten seconds, so that operators see which processes exist and what they run. */
export function startPresence(
  redis: Redis,
  port: number,
  describe: () => Pick<FleetProcess, 'lanes' | 'running' | 'draining'>,
): Presence {
  const name = `${hostname()}:${port}`
  const started_at = new Date().toISOString()
  let written: Promise<void> = Promise.resolve()
  function refresh(): Promise<void> {
    // While Redis is down, the entry of this process is lost or becomes too old, as it should.
    if (redis.status !== 'ready') return Promise.resolve()
    written = write().catch(logLoss)
    return written
  }
  async function write(): Promise<void> {
    const entry: z.infer<typeof Entry> = { name, started_at, ...describe(), seen_ms: await readClock(redis) }
    await redis.hset(PROCESSES_KEY, name, JSON.stringify(entry))
  }
  const timer = setInterval(refresh, REFRESH_MS).unref()
  refresh()
  return {
    name,
    refresh,
    async close() {
      clearInterval(timer)
      if (redis.status !== 'ready') return
      await written
      await redis.hdel(PROCESSES_KEY, name).catch(logLoss)
    },
  }
}

function logLoss(error: unknown): void {
  log('presence_lost', { error: errorText(error) })
}

/** Reads the time of Redis, because the clocks of two machines differ. */
async function readClock(redis: Redis): Promise<number> {
  const [seconds] = await redis.time()
  return Number(seconds) * 1000
}

/** Lists the processes that are alive, by name, and removes the entries of dead ones. */
export async function listProcesses(redis: Redis): Promise<FleetProcess[]> {
  const [stored, now] = await Promise.all([redis.hgetall(PROCESSES_KEY), readClock(redis)])
  const alive: FleetProcess[] = []
  for (const [name, text] of Object.entries(stored)) {
    const entry = readJson(Entry, text)
    // A process of another version may describe itself in a form that this one cannot read.
    if (entry === null) continue
    if (now - entry.seen_ms > GONE_MS) await redis.hdel(PROCESSES_KEY, name)
    else alive.push(FleetProcess.parse(entry))
  }
  return alive.toSorted((one, other) => one.name.localeCompare(other.name))
}

/** Asks processes to drain. @returns the names of those that the request means */
export async function requestDrain(redis: Redis, request: DrainRequest): Promise<string[]> {
  const meant = (await listProcesses(redis)).filter((process) => isDrained(request, process))
  if (meant.length > 0) await redis.publish(DRAIN_CHANNEL, JSON.stringify(request))
  return meant.map(({ name }) => name)
}

/** Checks whether a message of the channel asks this process to drain. */
export function meansProcess(message: string, process: Pick<FleetProcess, 'name' | 'lanes'>): boolean {
  const request = readJson(DrainRequest, message)
  return request !== null && isDrained(request, process)
}
