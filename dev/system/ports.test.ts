import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { assertPortsFree, findFreePorts, LOOPBACK, readPorts } from './ports.ts'

test('every part has its default port unless it is set', () => {
  const ports = {
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
  expect(readPorts({})).toEqual(ports)
  expect(readPorts({ PORT: '9000', REDIS_PORT: '' })).toEqual({ ...ports, edge: 9000 })
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
