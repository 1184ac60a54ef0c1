import { randomInt } from 'node:crypto'
import { createServer, type Server } from 'node:net'
import { z } from 'zod'

export const LOOPBACK = '127.0.0.1'

/** Every port of the local system: what listens there, the setting that moves it, and its default. */
export const PORTS = {
  edge: { setting: 'PORT', fallback: 8787 },
  database: { setting: 'DATABASE_PORT', fallback: 8788 },
  redis: { setting: 'REDIS_PORT', fallback: 8789 },
  fleet: { setting: 'FLEET_PORT', fallback: 8790 },
  smtp: { setting: 'SMTP_PORT', fallback: 8791 },
  mail: { setting: 'MAIL_PORT', fallback: 8792 },
  identity: { setting: 'IDENTITY_PORT', fallback: 8793 },
  payments: { setting: 'PAYMENTS_PORT', fallback: 8794 },
} as const

export type PortName = keyof typeof PORTS
export type Ports = Record<PortName, number>

const NAMES: PortName[] = ['edge', 'database', 'redis', 'fleet', 'smtp', 'mail', 'identity', 'payments']

function portsFrom(entries: [PortName, number][]): Ports {
  return Object.fromEntries(entries) as Ports
}

/** The ports that the environment asks for, or their defaults; throws a sentence for a bad or doubled one. */
export function readPorts(environment: NodeJS.ProcessEnv): Ports {
  const ports = NAMES.map((name): [PortName, number] => {
    const { setting, fallback } = PORTS[name]
    const parsed = z.coerce
      .number()
      .int()
      .min(1)
      .max(65_535)
      .safeParse(environment[setting] || fallback)
    if (!parsed.success) throw new Error(`${setting} must be a port number between 1 and 65535`)
    return [name, parsed.data]
  })
  for (const [index, [name, port]] of ports.entries()) {
    const twin = ports.slice(0, index).find(([, other]) => other === port)
    if (twin) throw new Error(`${PORTS[twin[0]].setting} and ${PORTS[name].setting} are both ${port}`)
  }
  return portsFrom(ports)
}

/** Below those that the kernel gives to outgoing connections: one of these would take the port of a part that is down. */
const FIRST_PORT = 15_000
const LAST_PORT = 32_000
const ATTEMPTS_MAX = 100

/** Ports that nothing listens on, for a system beside others. All are held at once, so none comes twice. */
export async function findFreePorts(): Promise<Ports> {
  const held = await Promise.all(NAMES.map(() => listenSomewhere()))
  const ports = held.map((server, index): [PortName, number] => {
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('no port was given')
    return [NAMES[index] ?? 'edge', address.port]
  })
  await Promise.all(held.map(close))
  return portsFrom(ports)
}

/** Throws a sentence that names every port that is taken, whose it is, and a free one by its setting. */
export async function assertPortsFree(ports: Ports): Promise<void> {
  const taken: PortName[] = []
  for (const name of NAMES) {
    try {
      await close(await listen(ports[name]))
    } catch {
      taken.push(name)
    }
  }
  if (taken.length === 0) return
  const told = taken.map((name) => `port ${ports[name]} (${name}, ${PORTS[name].setting}) is taken`)
  const free = await findFreePorts()
  const moved = taken.map((name) => `${PORTS[name].setting}=${free[name]}`)
  throw new Error(`${told.join('\n')}\nEnd what listens there, or set others: ${moved.join(' ')} npm start`)
}

async function listenSomewhere(): Promise<Server> {
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
