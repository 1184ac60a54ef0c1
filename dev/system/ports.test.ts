import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { assertPortsFree, findFreePorts, LOOPBACK, readPorts } from './ports.ts'

test('without settings every part has its default port', () => {
  const ports = {
    edge: 8787,
    database: 8788,
    redis: 8789,
    fleet: 8790,
    smtp: 8791,
    mail: 8792,
    identity: 8793,
    payments: 8794,
  }
  expect(readPorts({})).toEqual(ports)
  expect(readPorts({ PORT: '9000', REDIS_PORT: '' })).toEqual({ ...ports, edge: 9000 })
})

test.each(['0', '65536', 'http', '80.5', '-1'])('PORT=%s is refused by its name', (PORT) => {
  expect(() => readPorts({ PORT })).toThrow('PORT must be a port number between 1 and 65535')
})

test('two parts on one port are refused by their names', () => {
  expect(() => readPorts({ FLEET_PORT: '8787' })).toThrow('PORT and FLEET_PORT are both 8787')
})

test('free ports are all different and can be taken', async () => {
  const ports = await findFreePorts()
  expect(new Set(Object.values(ports)).size).toBe(8)
  await expect(assertPortsFree(ports)).resolves.toBeUndefined()
})

test('a taken port is named with its part and its setting, which is shown with a free one', async () => {
  const ports = await findFreePorts()
  const squatter = createServer()
  await new Promise<void>((resolve) => squatter.listen(ports.mail, LOOPBACK, resolve))
  try {
    const refusal = await assertPortsFree(ports).catch((error: Error) => error.message)
    expect(refusal).toContain(`port ${ports.mail} (mail, MAIL_PORT) is taken`)
    expect(refusal).toMatch(/set others: MAIL_PORT=\d+ npm start$/)
    const [, free] = /MAIL_PORT=(\d+)/.exec(String(refusal)) ?? []
    await expect(assertPortsFree({ ...ports, mail: Number(free) })).resolves.toBeUndefined()
  } finally {
    squatter.close()
  }
})
