/** @module-tag extended */

import { afterAll, beforeAll, expect, test } from 'vitest'
import { Client } from '../../dev/client.ts'
import { LOOPBACK } from '../../dev/system/ports.ts'
import { writeSettings } from '../../dev/system/settings.ts'
import { startTestSystem, type TestSystem } from '../system/start-test-system.ts'

const PASSWORD = 'correct horse battery'

let system: TestSystem
let visitor: Client

beforeAll(async () => {
  // Starts without overrides, so the product's default limits apply.
  system = await startTestSystem({ settings: {} })
  visitor = new Client(system.api_url)
})
afterAll(() => system?.stop())

/** The header in which the platform passes the client address. Each test uses separate networks. */
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

/** Counts the responses by status. */
function countStatuses(answers: Response[]): Record<string, number> {
  return Object.fromEntries(
    [...Map.groupBy(answers, ({ status }) => status)].map(([status, group]) => [status, group.length]),
  )
}

test('one network can create five accounts an hour, also with concurrent requests', async () => {
  const answers = await Promise.all(Array.from({ length: 12 }, () => register('203.0.113.1')))
  expect(countStatuses(answers)).toEqual({ 201: 5, 429: 7 })
  const refused = answers.find(({ status }) => status === 429)
  const wait_seconds = Number(refused?.headers.get('retry-after'))
  expect(wait_seconds).toBeGreaterThan(0)
  expect(wait_seconds).toBeLessThanOrEqual(3600)
  // The request counts against the limit before the email address is validated, so probing addresses is limited
  // too.
  const disposable = { email: `${crypto.randomUUID()}@mailinator.com`, password: PASSWORD }
  expect((await post('register', disposable, from('203.0.113.1'))).status).toBe(429)
  expect((await post('register', disposable, from('203.0.113.2'))).status).toBe(422)
  expect((await register('203.0.113.2')).status).toBe(201)
})

test('neither forwarding headers nor other addresses of the same /64 evade the limit', async () => {
  const names = ['x-forwarded-for', 'x-real-ip', 'forwarded', 'true-client-ip', 'x-client-ip']
  const answers: Response[] = []
  for (const count of Array.from({ length: 7 }, (_, index) => index)) {
    const headers = Object.fromEntries(names.map((name) => [name, `198.51.100.${count}`]))
    answers.push(await register(`2001:db8:7:7::${count + 1}`, headers))
  }
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201, 429, 429])
})

test('password guesses from many networks do not lock out a browser that has signed in before', async () => {
  const email = freshEmail()
  const registered = await post('register', { email, password: PASSWORD }, from('203.0.113.10'))
  const guess = (index: number) =>
    post('login', { email: email.toUpperCase(), password: 'wrong' }, from(`203.0.113.${20 + (index % 20)}`))
  const answers = await Promise.all(Array.from({ length: 60 }, (_, index) => guess(index)))
  expect(countStatuses(answers)).toEqual({ 401: 50, 429: 10 })
  const signIn = (headers: Record<string, string>) =>
    post('login', { email, password: PASSWORD }, { ...from('203.0.113.11'), ...headers })
  expect((await signIn({})).status).toBe(429)
  const [cookie = ''] = registered.headers.getSetCookie().map((line) => line.split(';')[0])
  expect((await signIn({ cookie })).status).toBe(200)
})

test('one network has ten failed sign-ins, over any number of accounts', async () => {
  const guess = () => post('login', { email: freshEmail(), password: 'wrong password' }, from('203.0.113.50'))
  const answers = await Promise.all(Array.from({ length: 15 }, guess))
  expect(countStatuses(answers)).toEqual({ 401: 10, 429: 5 })
})

test('successful sign-ins do not count toward the limit and do not reset it', async () => {
  const email = freshEmail()
  const network = from('203.0.113.60')
  await post('register', { email, password: PASSWORD }, network)
  const signIn = () => post('login', { email, password: PASSWORD }, network)
  for (let count = 0; count < 12; count++) expect((await signIn()).status).toBe(200)
  const wrong = await Promise.all(
    Array.from({ length: 9 }, () => post('login', { email, password: 'wrong password' }, network)),
  )
  expect(countStatuses(wrong)).toEqual({ 401: 9 })
  expect((await signIn()).status).toBe(200)
  expect((await post('login', { email, password: 'wrong password' }, network)).status).toBe(401)
  expect((await signIn()).status).toBe(429)
})

test('disabled registration gets a 403 before the rate limit applies', async () => {
  const database = `http://${LOOPBACK}:${system.ports.database}`
  await writeSettings(database, { registration_enabled: false })
  const attempt = async (address: string) => (await register(address)).status
  // Running Workers apply the setting within five seconds. Each attempt comes from a new network.
  let count = 0
  await expect.poll(() => attempt(`198.51.100.${count++}`), { interval: 500 }).toBe(403)
  expect(await attempt('203.0.113.1')).toBe(403)
  await writeSettings(database, { registration_enabled: true })
  await expect.poll(() => attempt(`198.51.100.${count++}`), { interval: 500 }).toBe(201)
})
