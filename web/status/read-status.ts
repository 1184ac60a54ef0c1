export type PartState = 'ok' | 'down' | 'unknown'

/** State of each part of the service. */
export interface ServiceStatus {
  api: PartState
  database: PartState
  /** The cache belongs to the machines that process files, and they check it: while it works, they can be reached. */
  processing: PartState
}

/** Reads the state of the service. Contract: Public endpoints, Health. */
export async function readStatus(): Promise<ServiceStatus> {
  const [health, ready] = await Promise.all([read('/api/health'), read('/api/ready')])
  return statusFrom(health, ready)
}

/** Derives the states from both responses; null stands for a response that did not come. */
export function statusFrom(health: unknown, ready: unknown): ServiceStatus {
  const { checks } = (ready ?? {}) as { checks?: { database?: string; cache?: string } }
  const isAlive = (health as { status?: string } | null)?.status === 'ok'
  return {
    api: isAlive ? 'ok' : 'down',
    database: stateFrom(checks?.database),
    processing: stateFrom(checks?.cache),
  }
}

function stateFrom(check: string | undefined): PartState {
  return check === 'ok' || check === 'down' ? check : 'unknown'
}

/** Reads a check, whose body says more than its status. */
async function read(path: string): Promise<unknown> {
  try {
    const response = await fetch(path, { cache: 'no-store' })
    return await response.json()
  } catch {
    return null
  }
}
