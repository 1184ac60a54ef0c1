import type { z } from 'zod'
import {
  type DrainRequest,
  DrainResponse,
  type FleetProcess,
  FleetProcesses,
} from '../../shared/protocol/processes.ts'
import { signRequest } from '../../shared/protocol/signature.ts'

const TIMEOUT_MS = 10_000

/** The intake of the fleet, and the keys that sign requests to it. */
export interface FleetAddress {
  FLEET_URL: string
  FLEET_KEYS: readonly string[]
}

/** Lists the processes of the fleet. What they run is up to ten seconds old. */
export async function listFleet(fleet: FleetAddress): Promise<FleetProcess[]> {
  return (await call(fleet, 'GET', '/processes', '', FleetProcesses)).processes
}

/**
 * Asks one process, or all processes that serve a lane, to accept no more jobs and to exit after the running ones.
 * @returns the names of these processes
 */
export async function drainFleet(fleet: FleetAddress, request: DrainRequest): Promise<string[]> {
  return (await call(fleet, 'POST', '/drain', JSON.stringify(request), DrainResponse)).draining
}

/** Describes a process in one line. */
export function describeProcess({ name, started_at, lanes, running, draining }: FleetProcess): string {
  const served = lanes.length === 0 ? 'intake only' : lanes.join(', ')
  const state = draining ? 'draining' : 'serving'
  const jobs = running.length === 0 ? 'idle' : `runs ${running.join(', ')}`
  return `${name}  ${state}  ${served}  since ${started_at}  ${jobs}`
}

async function call<T>(
  { FLEET_URL, FLEET_KEYS }: FleetAddress,
  method: 'GET' | 'POST',
  path: string,
  body: string,
  schema: z.ZodType<T>,
): Promise<T> {
  const response = await fetch(`${FLEET_URL}${path}`, {
    method,
    headers: {
      'content-type': 'application/json',
      ...signRequest(FLEET_KEYS, { to: 'fleet', method, path }, { id: crypto.randomUUID(), body }),
    },
    ...(method === 'POST' ? { body } : {}),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  if (!response.ok) throw new Error(`The fleet returned ${response.status} for ${method} ${path}.`)
  return schema.parse(await response.json())
}
