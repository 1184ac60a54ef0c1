import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { freePort, waitFor } from './wait.ts'

/** A real redis-server with an append-only file (AOF). It can be stopped and restarted with its data. */
export interface TestRedis {
  url: string
  start(): Promise<void>
  /** Shuts down cleanly, so everything acknowledged is in the AOF. */
  stop(): Promise<void>
  remove(): Promise<void>
}

export async function startRedis({ password = '' } = {}): Promise<TestRedis> {
  const folder = await mkdtemp(join(tmpdir(), 'fleet-redis-'))
  const port = await freePort()
  const url = `redis://127.0.0.1:${port}`
  let child: ChildProcess | null = null
  const redis: TestRedis = {
    url,
    async start() {
      const settings = [
        '--bind',
        '127.0.0.1',
        '--port',
        String(port),
        '--dir',
        folder,
        '--appendonly',
        'yes',
        '--save',
        '',
        '--requirepass',
        password,
      ]
      child = spawn('redis-server', [...settings, '--maxmemory-policy', 'noeviction'], { stdio: 'ignore' })
      await waitFor('Redis to answer', () => answers(url, password))
    },
    async stop() {
      if (child === null) return
      const ended = new Promise((resolve) => child?.once('exit', resolve))
      child.kill('SIGTERM')
      await ended
      child = null
    },
    async remove() {
      await redis.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
  await redis.start()
  return redis
}

async function answers(url: string, password: string): Promise<boolean> {
  const client = new Redis(url, { password, lazyConnect: true, retryStrategy: () => null })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return (await client.ping()) === 'PONG'
  } catch {
    return false
  } finally {
    client.disconnect()
  }
}
