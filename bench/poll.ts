import type { Client } from '../dev/client.ts'
import { jobQuery } from '../edge/jobs/queries.ts'
import type { Measure, Order } from './measure.ts'
import { openJob } from './open-job.ts'
import { medianOf } from './statistics.ts'
import type { BenchSystem } from './system.ts'

const PAIRS_PER_ROUND = 200

/** Compares the latency of a poll with the minimum: one request to the edge plus one database read. */
export const poll: Measure = {
  name: 'poll',
  title: 'GET /jobs/{id} with an API key, against GET /me/ping plus the same read directly from the database',
  unit: 'ms',
  goal: 1.25,
  direction: 'at most',
  needsSystem: true,
  async open(bench) {
    const system = bench.system()
    const { client, account_id } = await system.openAccount()
    await measurePairs(system, client, account_id, 'ours first')
    return {
      round: (order) => measurePairs(system, client, account_id, order),
      close: async () => {},
    }
  },
}

/** Alternates polls and reference requests to measure both under the same machine load. */
async function measurePairs({ db }: BenchSystem, client: Client, account_id: number, order: Order) {
  const job = await openJob(db, account_id)
  const path = `/api/v1/jobs/${job.id}`
  const readBare = async () => {
    await get(client, '/api/v1/me/ping')
    await jobQuery(db, job.id)
  }
  const [ours, reference]: [number[], number[]] = [[], []]
  for (let pair = 0; pair < PAIRS_PER_ROUND; pair += 1) {
    if (order === 'reference first') reference.push(await measureLatencyMs(readBare))
    ours.push(await measureLatencyMs(() => get(client, path)))
    if (order === 'ours first') reference.push(await measureLatencyMs(readBare))
  }
  await job.close()
  return { ours: medianOf(ours), reference: medianOf(reference) }
}

async function get(client: Client, path: string): Promise<void> {
  const response = await client.send('GET', path)
  const body = await response.text()
  if (response.status !== 200) throw new Error(`GET ${path} responded with ${response.status}: ${body}`)
}

async function measureLatencyMs(operation: () => PromiseLike<unknown>): Promise<number> {
  const start = performance.now()
  await operation()
  return performance.now() - start
}
