import { afterAll, beforeAll, expect, test } from 'vitest'
import { Client } from '../dev/client.ts'
import { LOOPBACK } from '../dev/system/ports.ts'
import { writeSettings } from '../dev/system/settings.ts'
import { startTestSystem, type TestSystem } from './system/start-test-system.ts'

const PASSWORD = 'correct horse battery'

let system: TestSystem
let visitor: Client

beforeAll(async () => {
  // The limits as the product has them.
  system = await startTestSystem({ settings: {} })
  visitor = new Client(system.api_url)
})
afterAll(() => system?.stop())

/** As the platform names a client; each test has networks of its own. */
const from = (address: string) => ({ 'cf-connecting-ip': address })
const freshEmail = () => `${crypto.randomUUID()}@localhost.test`

async function post(path: string, body: object, headers: Record<string, string>): Promise<Response> {
  const response = await visitor.send('POST', `/api/v1/auth/${path}`, body, headers)
  await response.body?.cancel()
  return response
}

async function register(address: string, headers: Record<string, string> = {}): Promise<Response> {
  return post('register', { email: freshEmail(), password: PASSWORD }, { ...from(address), ...headers })
}

/** How many of these answers had each status. */
function countStatuses(answers: Response[]): Record<string, number> {
  return Object.fromEntries(
    [...Map.groupBy(answers, ({ status }) => status)].map(([status, group]) => [status, group.length]),
  )
}

test('five accounts an hour are opened from one network, also when all are asked for at once', async () => {
  const answers = await Promise.all(Array.from({ length: 12 }, () => register('203.0.113.1')))
  expect(countStatuses(answers)).toEqual({ 201: 5, 429: 7 })
  const refused = answers.find(({ status }) => status === 429)
  const wait_seconds = Number(refused?.headers.get('retry-after'))
  expect(wait_seconds).toBeGreaterThan(0)
  expect(wait_seconds).toBeLessThanOrEqual(3600)
  // Counted before the address is looked at, so that nobody can try addresses for nothing.
  const thrown = { email: `${crypto.randomUUID()}@mailinator.com`, password: PASSWORD }
  expect((await post('register', thrown, from('203.0.113.1'))).status).toBe(429)
  expect((await post('register', thrown, from('203.0.113.2'))).status).toBe(422)
  expect((await register('203.0.113.2')).status).toBe(201)
})

test('headers that a client can write open no further accounts; nor does another address of its /64', async () => {
  const claims = ['x-forwarded-for', 'x-real-ip', 'forwarded', 'true-client-ip', 'x-client-ip']
  const answers: Response[] = []
  for (const count of Array.from({ length: 7 }, (_, index) => index)) {
    const claimed = Object.fromEntries(claims.map((name) => [name, `198.51.100.${count}`]))
    answers.push(await register(`2001:db8:7:7::${count + 1}`, claimed))
  }
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201, 429, 429])
})

test('strangers who guess at an address from many networks do not lock the owner out', async () => {
  const email = freshEmail()
  const registered = await post('register', { email, password: PASSWORD }, from('203.0.113.10'))
  const guess = (index: number) =>
    post('login', { email: email.toUpperCase(), password: 'wrong' }, from(`203.0.113.${20 + (index % 20)}`))
  const answers = await Promise.all(Array.from({ length: 60 }, (_, index) => guess(index)))
  expect(countStatuses(answers)).toEqual({ 401: 50, 429: 10 })
  const right = (headers: Record<string, string>) =>
    post('login', { email, password: PASSWORD }, { ...from('203.0.113.11'), ...headers })
  expect((await right({})).status).toBe(429)
  const [cookie = ''] = registered.headers.getSetCookie().map((line) => line.split(';')[0])
  expect((await right({ cookie })).status).toBe(200)
})

test('ten failed sign-ins from a network are let through, for however many addresses', async () => {
  const guess = () => post('login', { email: freshEmail(), password: 'wrong password' }, from('203.0.113.50'))
  const answers = await Promise.all(Array.from({ length: 15 }, guess))
  expect(countStatuses(answers)).toEqual({ 401: 10, 429: 5 })
})

test('sign-ins that succeed use nothing up, and give nothing back but their own', async () => {
  const email = freshEmail()
  const network = from('203.0.113.60')
  await post('register', { email, password: PASSWORD }, network)
  const right = () => post('login', { email, password: PASSWORD }, network)
  for (let count = 0; count < 12; count++) expect((await right()).status).toBe(200)
  const wrong = await Promise.all(
    Array.from({ length: 9 }, () => post('login', { email, password: 'wrong password' }, network)),
  )
  expect(countStatuses(wrong)).toEqual({ 401: 9 })
  expect((await right()).status).toBe(200)
  expect((await post('login', { email, password: 'wrong password' }, network)).status).toBe(401)
  expect((await right()).status).toBe(429)
})

test('while registration is off nobody gets in, before anything else is asked', async () => {
  const database = `http://${LOOPBACK}:${system.ports.database}`
  await writeSettings(database, { registration_enabled: false })
  const attempt = async (address: string) => (await register(address)).status
  // Running Workers hear of it within five seconds; each look is another network's first.
  let count = 0
  await expect.poll(() => attempt(`198.51.100.${count++}`), { timeout: 8000, interval: 500 }).toBe(403)
  expect(await attempt('203.0.113.1')).toBe(403)
  await writeSettings(database, { registration_enabled: true })
  await expect.poll(() => attempt(`198.51.100.${count++}`), { timeout: 8000, interval: 500 }).toBe(201)
})
