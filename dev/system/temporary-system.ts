import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Database, openDatabase } from '../../edge/platform/database/client.ts'
import { Client } from '../client.ts'
import { findFreePorts, LOOPBACK, type Ports } from './ports.ts'
import { GENEROUS_LIMITS } from './settings.ts'
import { type System, type SystemOptions, startSystem } from './system.ts'

export interface TemporarySystem {
  system: System
  ports: Ports
  folder: string
  db: Database
  /** Signed in to a new account. */
  client: Client
  /** Stops the system and deletes its state. */
  stop(): Promise<void>
}

/** Starts a system on free ports and with its own state, for scripts that break or overload it. */
export async function startTemporarySystem(
  name: string,
  {
    ports: given,
    prepare = async () => undefined,
    ...options
  }: Omit<SystemOptions, 'ports' | 'dataDirectory' | 'settings'> & {
    ports?: Ports
    /** Called with the folder of the state before the system starts. */
    prepare?(folder: string): Promise<void>
  },
): Promise<TemporarySystem> {
  const folder = await mkdtemp(join(tmpdir(), `${name}-system-`))
  await prepare(folder)
  const ports = given ?? (await findFreePorts())
  const system = await startSystem({ ...options, ports, dataDirectory: folder, settings: GENEROUS_LIMITS })
  const db = openDatabase(`http://${LOOPBACK}:${ports.database}`, undefined)
  const client = new Client(system.api_url)
  await client.register({ email: `${name}@localhost.test`, password: `a password for ${name}` })
  return {
    ...{ system, ports, folder, db, client },
    async stop() {
      db.$client.close()
      await system.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
