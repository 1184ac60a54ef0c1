import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import type { Environment } from './environment.ts'
import { createIntake } from './intake/intake.ts'
import { openQueueRegistry } from './metrics/queue-metrics.ts'
import { startMetricsServer } from './metrics/server.ts'
import { CANCEL_CHANNEL, connectRedis, listQueues, openQueues, waitForRedis } from './queue/queues.ts'
import { startWorkers } from './queue/start-workers.ts'
import { openReportQueue, startReportSender } from './reports/report.ts'
import { prepareWorkDirectory } from './runtime/folder.ts'
import { log } from './runtime/log.ts'
import { createStorage } from './storage/storage.ts'

const REDIS_MS_MAX = 3000

export interface Fleet {
  port: number
  close(): Promise<void>
}

/** Starts the workers, then the intake. Returns once requests are accepted, even if Redis is down. */
export async function startFleet(environment: Environment): Promise<Fleet> {
  await prepareWorkDirectory(environment.WORK_DIRECTORY)
  const storage = createStorage(environment)
  const redis = connectRedis(environment.REDIS_URL)
  const subscriber = connectRedis(environment.REDIS_URL)
  const queues = openQueues(redis)
  const reports = openReportQueue(redis, environment, storage)
  const sender = startReportSender(redis, environment, storage)

  const workers = startWorkers({ environment, storage, reports, redis, queues })
  subscriber.on('message', (_channel, job_id) => workers.cancel(job_id))
  // The client resubscribes automatically after Redis reconnects.
  subscriber.subscribe(CANCEL_CHANNEL).catch(() => undefined)

  const { fetch } = createIntake({ environment, queues, redis })
  const intake = createAdaptorServer({ fetch }) as Server
  await waitForRedis(redis, REDIS_MS_MAX)
  const port = await new Promise<number>((resolve, reject) => {
    intake.once('error', reject)
    intake.listen(environment.PORT, environment.HOST, () => resolve((intake.address() as AddressInfo).port))
  })
  const metrics = await startMetricsServer(environment, openQueueRegistry(queues, reports.queue))
  log('fleet_started', { host: environment.HOST, port })

  return {
    port,
    async close() {
      await new Promise((resolve) => {
        intake.close(resolve)
        intake.closeIdleConnections()
      })
      await workers.close()
      await metrics.close()
      await sender.close()
      await Promise.all([reports.close(), ...listQueues(queues).map((queue) => queue.close())])
      redis.disconnect()
      subscriber.disconnect()
      log('fleet_closed')
    },
  }
}
