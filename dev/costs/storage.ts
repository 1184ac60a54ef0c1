import { Redis } from 'ioredis'
import type { Database } from '../../edge/platform/database/client.ts'
import { enqueueJobs } from '../../media-backend/queue/enqueue.ts'
import { listQueues, openQueues } from '../../media-backend/queue/queues.ts'
import { Dispatch } from '../../shared/protocol/dispatch.ts'
import { LOOPBACK, type Ports } from '../system/ports.ts'

/** Returns the size of the database in bytes. */
export async function readDatabaseBytes(db: Database): Promise<number> {
  const { rows } = await db.$client.execute(
    'SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()',
  )
  return Number(rows[0]?.bytes)
}

/**
 * Returns the memory of Redis that a waiting job takes. The fleet must be stopped, so that the jobs wait.
 * @param job_id a job of the database, whose dispatch is queued under other ids
 */
export async function measureWaitingJob(
  db: Database,
  ports: Ports,
  job_id: string,
  count: number,
): Promise<number> {
  const sql = 'SELECT dispatch FROM jobs WHERE id = ?'
  const { rows } = await db.$client.execute({ sql, args: [job_id] })
  const dispatch = Dispatch.parse(JSON.parse(String(rows[0]?.dispatch)))
  const redis = new Redis(ports.redis, LOOPBACK, { maxRetriesPerRequest: null })
  const queues = openQueues(redis)
  const before = await readRedisBytes(redis)
  for (let number = 0; number < count; number += 100) {
    const jobs = Array.from({ length: 100 }, (_, index) => ({
      ...dispatch,
      job_id: `waiting-${number + index}`,
    }))
    await enqueueJobs(jobs, { redis, queues, environment: { ATTEMPTS_MAX: 3, RETRY_MS: 5000 } })
  }
  const bytes = ((await readRedisBytes(redis)) - before) / count
  await Promise.all(listQueues(queues).map((queue) => queue.close()))
  redis.disconnect()
  return bytes
}

export async function readRedisBytes(redis: Redis): Promise<number> {
  return Number(/^used_memory:(\d+)/m.exec(await redis.info('memory'))?.[1])
}
