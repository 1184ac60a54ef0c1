import { expect, test } from 'vitest'
import { startRedis } from '../testing/redis.ts'
import { connectRedis } from './queues.ts'

test('connects to a Redis whose password has characters with a meaning in URLs', async () => {
  const password = `p@ss/w:rd#?%20&"'$x`
  const server = await startRedis({ password })
  const redis = connectRedis({ REDIS_URL: server.url, REDIS_PASSWORD: password })
  try {
    expect(await redis.ping()).toBe('PONG')
  } finally {
    redis.disconnect()
    await server.remove()
  }
})
