import { createConnection, createServer, type Socket } from 'node:net'
import { afterAll, beforeAll, expect } from 'vitest'
import { openDatabase } from '../../edge/db/client.ts'
import type { Client } from '../../scripts/client.ts'
import { runScheduled } from '../../scripts/system/cron.ts'
import { LOOPBACK } from '../../scripts/system/ports.ts'
import type { SystemOptions } from '../../scripts/system/system.ts'
import { startTestSystem, type TestSystem } from '../system/start-test-system.ts'

/** A job of a dead worker is taken over at once, and a failed attempt is soon repeated. */
const HASTY = { LOCK_SECONDS: '2', RETRY_MS: '200' }

/** A system for the tests of one file, which may break any part of it. Scheduled work runs when they ask. */
export function useOwnSystem(options: Pick<SystemOptions, 'fleet'> = {}): () => TestSystem {
  let system: TestSystem | null = null
  beforeAll(async () => {
    system = await startTestSystem({ fleet: { ...HASTY, ...options.fleet }, cron_interval_ms: 3_600_000 })
  })
  afterAll(() => system?.stop())
  return () => {
    if (system === null) throw new Error('the system has not started')
    return system
  }
}

/** Lets the time pass after which unacknowledged effects are sent again, then runs the scheduled handler. */
export async function passResendTime({ ports }: TestSystem): Promise<void> {
  await change(ports.database, 'UPDATE outbox SET due_at = 0')
  await runScheduled(ports)
}

/** Lets the time pass after which a job that nobody speaks of is handed over anew. */
export async function passSilence({ ports }: TestSystem): Promise<void> {
  await change(ports.database, 'UPDATE jobs SET heard_at = 0')
  await runScheduled(ports)
}

async function change(port: number, statement: string): Promise<void> {
  const database = openDatabase(`http://${LOOPBACK}:${port}`, undefined)
  try {
    await database.$client.execute(statement)
  } finally {
    database.$client.close()
  }
}

/** The newest attempt that the edge heard of, and how many effects are still to be sent. */
export async function readInside({ ports }: TestSystem, job_id: string) {
  const database = openDatabase(`http://${LOOPBACK}:${ports.database}`, undefined)
  try {
    const [jobs, effects] = await database.$client.batch([
      { sql: 'SELECT fence FROM jobs WHERE id = ?', args: [job_id] },
      'SELECT count(*) AS count FROM outbox',
    ])
    return { fence: Number(jobs?.rows[0]?.fence), effects: Number(effects?.rows[0]?.count) }
  } finally {
    database.$client.close()
  }
}

export async function waitUntilReady(client: Client): Promise<void> {
  await expect
    .poll(async () => (await client.readiness()).http_status, { timeout: 30_000, interval: 100 })
    .toBe(200)
}

/** A line between two parts that can be cut and mended: while it is cut, nobody is at the other end. */
export interface Line {
  url: string
  cut(): void
  mend(): void
  close(): Promise<void>
}

export async function startLine(readPort: () => number): Promise<Line> {
  const sockets = new Set<Socket>()
  let whole = true
  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
  }
  const server = createServer((near) => {
    keep(near)
    if (!whole) return near.destroy()
    const far = createConnection({ port: readPort(), host: LOOPBACK })
    keep(far)
    near.on('close', () => far.destroy())
    far.on('close', () => near.destroy())
    near.pipe(far).pipe(near)
  })
  await new Promise<void>((resolve) => server.listen(0, LOOPBACK, resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port was given')
  const hangUp = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: `http://${LOOPBACK}:${address.port}`,
    cut() {
      whole = false
      hangUp()
    },
    mend() {
      whole = true
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        hangUp()
      }),
  }
}
