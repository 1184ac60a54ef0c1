import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import type { Environment } from './environment.ts'
import { createIntake } from './intake/intake.ts'
import { openQueueRegistry } from './metrics/queue-metrics.ts'
import { startMetricsServer } from './metrics/server.ts'
import { DRAIN_CHANNEL, meansProcess, startPresence } from './queue/processes.ts'
import { CANCEL_CHANNEL, connectRedis, listQueues, openQueues, waitForRedis } from './queue/queues.ts'
import { servedLanes, startWorkers } from './queue/start-workers.ts'
import { openReportQueue, startReportSender } from './reports/report.ts'
import { endDecoders } from './runtime/decoder/decode.ts'
import { prepareWorkDirectory } from './runtime/folder.ts'
import { endKeptExiftool } from './runtime/kept-exiftool.ts'
import { errorText, log } from './runtime/log.ts'
import { startTracing, type Tracing } from './runtime/start-tracing.ts'
import { createStorage } from './storage/storage.ts'

const REDIS_MS_MAX = 3000

export interface Fleet {
  port: number
  /** Resolves when the process has been drained, on request or by `drain`. It can then be closed. */
  drained: Promise<void>
  /**
   * Stops accepting jobs from the lanes, and waits until the running ones have ended. The intake continues to queue
   * dispatches for other processes.
   */
  drain(): Promise<void>
  close(): Promise<void>
}

/** Starts the workers, then the intake. Returns once requests are accepted, even if Redis is down. */
export async function startFleet(environment: Environment): Promise<Fleet> {
  await prepareWorkDirectory(environment.WORK_DIRECTORY)
  const tracing = await startTracing(environment)
  try {
    return await startParts(environment, tracing)
  } catch (error) {
    await tracing.close()
    throw error
  }
}

async function startParts(environment: Environment, tracing: Tracing): Promise<Fleet> {
  const storage = createStorage(environment)
  const redis = connectRedis(environment)
  const subscriber = connectRedis(environment)
  const queues = openQueues(redis)
  const reports = openReportQueue(redis, environment, storage)
  const sender = startReportSender(redis, environment, storage)

  const workers = startWorkers({ environment, storage, reports, redis, queues })

  const { fetch } = createIntake({ environment, queues, redis, storage })
  const intake = createAdaptorServer({ fetch }) as Server
  // A request to cancel or to drain must not arrive before this process listens.
  await Promise.all([redis, subscriber].map((connection) => waitForRedis(connection, REDIS_MS_MAX)))
  const port = await new Promise<number>((resolve, reject) => {
    intake.once('error', reject)
    intake.listen(environment.PORT, environment.HOST, () => resolve((intake.address() as AddressInfo).port))
  })
  const metrics = await startMetricsServer(environment, openQueueRegistry(queues, reports.queue))
  const { promise: drained, resolve: endDrain } = Promise.withResolvers<void>()
  let draining: Promise<void> | null = null
  const lanes = servedLanes(environment)
  const describe = () => ({ lanes, running: workers.running(), draining: draining !== null })
  const presence = startPresence(redis, port, describe)
  const drain = () => {
    // An idle process waits for nothing, also while Redis is down. A process that cannot drain is closed, which returns
    // its jobs to their lanes.
    const idle = workers.running().length === 0
    draining ??= (idle ? Promise.resolve() : workers.drain())
      .catch((error: unknown) => log('drain_failed', { error: errorText(error) }))
      .then(endDrain)
    presence.refresh()
    return draining
  }
  subscriber.on('message', (channel, text) => {
    if (channel === CANCEL_CHANNEL) workers.cancel(text)
    else if (draining === null && meansProcess(text, { name: presence.name, lanes })) {
      log('drain_requested', { running: workers.running().length })
      drain()
    }
  })
  // The client resubscribes automatically after Redis reconnects.
  subscriber.subscribe(CANCEL_CHANNEL, DRAIN_CHANNEL).catch(() => undefined)
  log('fleet_started', { host: environment.HOST, port })

  return {
    port,
    drained,
    drain,
    async close() {
      await new Promise((resolve) => {
        intake.close(resolve)
        intake.closeIdleConnections()
      })
      await workers.close()
      await Promise.all([endKeptExiftool(), endDecoders()])
      await presence.close()
      await metrics.close()
      await sender.close()
      await Promise.all([reports.close(), ...listQueues(queues).map((queue) => queue.close())])
      await tracing.close()
      redis.disconnect()
      subscriber.disconnect()
      log('fleet_closed')
    },
  }
}
