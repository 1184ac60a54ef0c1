import { expect, test, vi } from 'vitest'
import { makeTestContext } from '../../test/edge/worker/context.ts'
import { makeKey, register } from '../../test/edge/worker/people.ts'

test('a recently verified key is authenticated without a database query', async () => {
  const testContext = makeTestContext()
  const { key } = await makeKey(testContext, await register(testContext))
  const ping = async () => (await testContext.call('GET', '/api/v1/me/ping', { key })).status
  const client = testContext.deps.db.$client
  const spies = [vi.spyOn(client, 'execute'), vi.spyOn(client, 'batch'), vi.spyOn(client, 'transaction')]
  const calls = () => spies.reduce((total, { mock }) => total + mock.calls.length, 0)
  expect(await ping()).toBe(200)
  expect(calls()).toBeGreaterThan(0)
  // Waits for the background work that follows the first response.
  await testContext.settled()
  const before = calls()
  expect(await ping()).toBe(200)
  expect(calls() - before).toBe(0)
})
