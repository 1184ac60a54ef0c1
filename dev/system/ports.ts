import { randomInt } from 'node:crypto'
import { createServer, type Server } from 'node:net'
import { z } from 'zod'

export const LOOPBACK = '127.0.0.1'

/** The local system's ports: the part that listens, the setting that changes the port, and the default. */
export const PORTS = {
  edge: { setting: 'PORT', fallback: 8787 },
  database: { setting: 'DATABASE_PORT', fallback: 8788 },
  redis: { setting: 'REDIS_PORT', fallback: 8789 },
  fleet: { setting: 'FLEET_PORT', fallback: 8790 },
  smtp: { setting: 'SMTP_PORT', fallback: 8791 },
  mail: { setting: 'MAIL_PORT', fallback: 8792 },
  identity: { setting: 'IDENTITY_PORT', fallback: 8793 },
  payments: { setting: 'PAYMENTS_PORT', fallback: 8794 },
  storage: { setting: 'STORAGE_PORT', fallback: 8795 },
  database_admin: { setting: 'DATABASE_ADMIN_PORT', fallback: 8796 },
} as const

export type PortName = keyof typeof PORTS
export type Ports = Record<PortName, number>

const NAMES = Object.keys(PORTS) as PortName[]

function portsFrom(entries: [PortName, number][]): Ports {
  return Object.fromEntries(entries) as Ports
}

/**
 * Reads the ports from the environment and uses the defaults for ports that are not set.
 * @throws if a port is invalid or assigned twice
 */
export function readPorts(environment: NodeJS.ProcessEnv): Ports {
  const ports = NAMES.map((name): [PortName, number] => {
    const { setting, fallback } = PORTS[name]
    const parsed = z.coerce
      .number()
      .int()
      .min(1)
      .max(65_535)
      .safeParse(environment[setting] || fallback)
    if (!parsed.success) throw new Error(`${setting} must be a port number between 1 and 65535.`)
    return [name, parsed.data]
  })
  for (const [index, [name, port]] of ports.entries()) {
    const duplicate = ports.slice(0, index).find(([, other]) => other === port)
    if (duplicate)
      throw new Error(
        `${PORTS[duplicate[0]].setting} and ${PORTS[name].setting} are both ${port}. Set different ports.`,
      )
  }
  return portsFrom(ports)
}

/** The range is below the ephemeral ports, where an outgoing connection could occupy a stopped part's port. */
const FIRST_PORT = 15_000
const LAST_PORT = 32_000
const ATTEMPTS_MAX = 100

/**
 * Finds free ports for a system that runs alongside others. Listens on all of them at once, so they all differ.
 * Tries random ports: get-port tries a range in order, so two systems starting together would find the same ports.
 */
export async function findFreePorts(): Promise<Ports> {
  const servers = await Promise.all(NAMES.map(() => listenOnRandomPort()))
  const ports = servers.map((server, index): [PortName, number] => {
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('The server has no port.')
    return [NAMES[index] ?? 'edge', address.port]
  })
  await Promise.all(servers.map(close))
  return portsFrom(ports)
}

/** @throws if ports are in use; the message names each port with its part and setting, and suggests free ports */
export async function assertPortsFree(ports: Ports): Promise<void> {
  const occupied: PortName[] = []
  for (const name of NAMES) {
    try {
      await close(await listen(ports[name]))
    } catch {
      occupied.push(name)
    }
  }
  if (occupied.length === 0) return
  const conflicts = occupied.map(
    (name) => `Port ${ports[name]} (${name}, ${PORTS[name].setting}) is already in use.`,
  )
  const free = await findFreePorts()
  const settings = occupied.map((name) => `${PORTS[name].setting}=${free[name]}`)
  throw new Error(
    `${conflicts.join('\n')}\nStop what listens there, or use other ports: ${settings.join(' ')} npm start`,
  )
}

async function listenOnRandomPort(): Promise<Server> {
  for (let count = 1; ; count++) {
    try {
      return await listen(randomInt(FIRST_PORT, LAST_PORT))
    } catch (error) {
      if (count >= ATTEMPTS_MAX) throw error
    }
  }
}

function listen(port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(port, LOOPBACK, () => resolve(server))
  })
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()))
}
