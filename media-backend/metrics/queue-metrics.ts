import type { Queue } from 'bullmq'
import { Gauge, Registry } from 'prom-client'
import { LANES } from '../../shared/planning/lanes.ts'
import type { MediaQueues } from '../queue/queues.ts'

/**
 * Metrics of the queues in Redis, read whenever they are scraped. Every process reports the same values, so queries
 * take their maximum.
 */
export function openQueueRegistry({ lanes }: MediaQueues, reports: Queue): Registry {
  const registry = new Registry()
  const registers = [registry]
  new Gauge({
    name: 'fleet_lane_jobs',
    help: 'Jobs in a lane by state: waiting, held or active.',
    labelNames: ['lane', 'state'] as const,
    registers,
    async collect() {
      for (const lane of LANES) {
        const counts = await lanes[lane].getJobCounts('wait', 'prioritized', 'delayed', 'active')
        const { wait = 0, prioritized = 0, delayed = 0, active = 0 } = counts
        this.set({ lane, state: 'waiting' }, wait + prioritized)
        this.set({ lane, state: 'held' }, delayed)
        this.set({ lane, state: 'active' }, active)
      }
    },
  })
  new Gauge({
    name: 'fleet_lane_age_seconds',
    help: 'How long the next job of a lane has waited; 0 if none waits.',
    labelNames: ['lane'] as const,
    registers,
    async collect() {
      for (const lane of LANES) {
        const [next] = await lanes[lane].getPrioritized(0, 0)
        this.set({ lane }, next === undefined ? 0 : secondsSince(next.timestamp + (next.opts.delay ?? 0)))
      }
    },
  })
  new Gauge({
    name: 'fleet_reports_waiting',
    help: 'Reports that the edge has not accepted yet.',
    registers,
    async collect() {
      this.set(await reports.count())
    },
  })
  new Gauge({
    name: 'fleet_report_lag_seconds',
    help: 'Age of the oldest report that the edge has not accepted yet; 0 if there is none.',
    registers,
    async collect() {
      const waiting = await reports.getJobs(['wait', 'delayed', 'active'], 0, 0, true)
      this.set(Math.max(0, ...waiting.map(({ timestamp }) => secondsSince(timestamp))))
    },
  })
  return registry
}

function secondsSince(time_ms: number): number {
  return Math.max(0, Date.now() - time_ms) / 1000
}
