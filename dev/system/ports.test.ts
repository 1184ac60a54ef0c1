import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { assertPortsFree, findFreePorts, LOOPBACK, readPorts } from './ports.ts'

const DEFAULTS = {
  edge: 8787,
  database: 8788,
  redis: 8789,
  fleet: 8790,
  smtp: 8791,
  mail: 8792,
  identity: 8793,
  payments: 8794,
  storage: 8795,
  database_admin: 8796,
}

test('every part has its default port unless it is set', () => {
  expect(readPorts({})).toEqual(DEFAULTS)
  expect(readPorts({ PORT: '', REDIS_PORT: '9000' })).toEqual({ ...DEFAULTS, redis: 9000 })
})

test('all ports follow PORT, except those that are set', () => {
  const { edge, redis, database_admin } = readPorts({ PORT: '9400', REDIS_PORT: '6379' })
  expect({ edge, redis, database_admin }).toEqual({ edge: 9400, redis: 6379, database_admin: 9409 })
  expect(new Set(Object.values(readPorts({ PORT: '9400' }))).size).toBe(10)
})

test('rejects a PORT that leaves no room for the others', () => {
  expect(readPorts({ PORT: '65526' })).toMatchObject({ database_admin: 65_535 })
  expect(() => readPorts({ PORT: '65527' })).toThrow(
    'DATABASE_ADMIN_PORT would be 65536. Set a PORT of at most 65526.',
  )
})

test.each(['0', '65536', 'http', '80.5', '-1'])('rejects PORT=%s and names the setting', (PORT) => {
  expect(() => readPorts({ PORT })).toThrow('PORT must be a port number between 1 and 65535')
})

test('rejects one port for two parts and names both settings', () => {
  expect(() => readPorts({ FLEET_PORT: '8787' })).toThrow('PORT and FLEET_PORT are both 8787')
})

test('finds free ports that all differ', async () => {
  const ports = await findFreePorts()
  expect(new Set(Object.values(ports)).size).toBe(10)
  await expect(assertPortsFree(ports)).resolves.toBeUndefined()
})

test('names an occupied port, its part and its setting, and suggests a free port', async () => {
  const ports = await findFreePorts()
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(ports.mail, LOOPBACK, resolve))
  try {
    const message = await assertPortsFree(ports).catch((error: Error) => error.message)
    expect(message).toContain(`Port ${ports.mail} (mail, MAIL_PORT) is already in use`)
    expect(message).toMatch(/use other ports: MAIL_PORT=\d+ npm start$/)
    const [, free] = /MAIL_PORT=(\d+)/.exec(String(message)) ?? []
    await expect(assertPortsFree({ ...ports, mail: Number(free) })).resolves.toBeUndefined()
  } finally {
    server.close()
  }
})
