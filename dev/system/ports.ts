import { randomInt } from 'node:crypto'
import { createServer, type Server } from 'node:net'
import { z } from 'zod'

export const LOOPBACK = '127.0.0.1'

const DEFAULT_PORT = 8787

/** The local system's ports: the part that listens, the setting of its port, and the default as an offset to `PORT`. */
export const PORTS = {
  edge: { setting: 'PORT', offset: 0 },
  database: { setting: 'DATABASE_PORT', offset: 1 },
  redis: { setting: 'REDIS_PORT', offset: 2 },
  fleet: { setting: 'FLEET_PORT', offset: 3 },
  smtp: { setting: 'SMTP_PORT', offset: 4 },
  mail: { setting: 'MAIL_PORT', offset: 5 },
  identity: { setting: 'IDENTITY_PORT', offset: 6 },
  payments: { setting: 'PAYMENTS_PORT', offset: 7 },
  storage: { setting: 'STORAGE_PORT', offset: 8 },
  database_admin: { setting: 'DATABASE_ADMIN_PORT', offset: 9 },
} as const

export type PortName = keyof typeof PORTS
export type Ports = Record<PortName, number>

const NAMES = Object.keys(PORTS) as PortName[]
const MAX_OFFSET = Math.max(...Object.values(PORTS).map(({ offset }) => offset))

function portsFrom(entries: [PortName, number][]): Ports {
  return Object.fromEntries(entries) as Ports
}

const Port = z.coerce.number().int().min(1).max(65_535)

/**
 * Reads the ports from the environment. A port that is not set follows `PORT` at a fixed offset.
 * @throws if a port is invalid or assigned twice
 */
export function readPorts(environment: NodeJS.ProcessEnv): Ports {
  const base = readPort('PORT', environment.PORT || DEFAULT_PORT)
  const ports = NAMES.map((name): [PortName, number] => {
    const { setting, offset } = PORTS[name]
    return [name, readPort(setting, environment[setting] || base + offset)]
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

function readPort(setting: string, value: string | number): number {
  const { success, data } = Port.safeParse(value)
  if (success) return data
  throw new Error(
    typeof value === 'string'
      ? `${setting} must be a port number between 1 and 65535.`
      : `${setting} would be ${value}. Set a PORT of at most ${65_535 - MAX_OFFSET}.`,
  )
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
