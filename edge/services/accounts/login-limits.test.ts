import { expect, test } from 'vitest'
import { freshAddress, makeLimitedWorld } from '../../../test/edge/worker/limited-world.ts'
import { register } from '../../../test/edge/worker/people.ts'

test('where a network may guess more often, whoever goes on at one address shuts nobody else of it out', async () => {
  const world = await makeLimitedWorld({ login_failures_per_ip_max: 15 })
  const [guessed, other] = [await register(world), await register(world)]
  const headers = { 'cf-connecting-ip': freshAddress() }
  const login = async (email: string, password: string) =>
    (await world.call('POST', '/api/v1/auth/login', { body: { email, password }, headers })).status
  const answers = await Promise.all(Array.from({ length: 20 }, () => login(guessed.email, 'wrong password')))
  expect(answers.filter((status) => status === 401)).toHaveLength(10)
  expect(answers.filter((status) => status === 429)).toHaveLength(10)
  expect(await login(other.email, other.password)).toBe(200)
})
