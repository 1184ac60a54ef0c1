import { expect, test, vi } from 'vitest'
import { makeWorld } from '../../test/edge/worker/context.ts'
import { makeKey, register } from '../../test/edge/worker/people.ts'

test('a key that was verified a moment ago costs the database nothing', async () => {
  const world = makeWorld()
  const { key } = await makeKey(world, await register(world))
  const ping = async () => (await world.call('GET', '/api/v1/me/ping', { key })).status
  const client = world.deps.db.$client
  const asked = [vi.spyOn(client, 'execute'), vi.spyOn(client, 'batch'), vi.spyOn(client, 'transaction')]
  const calls = () => asked.reduce((total, { mock }) => total + mock.calls.length, 0)
  expect(await ping()).toBe(200)
  expect(calls()).toBeGreaterThan(0)
  // What the first one left to do after its answer.
  await world.settled()
  const before = calls()
  expect(await ping()).toBe(200)
  expect(calls() - before).toBe(0)
})
