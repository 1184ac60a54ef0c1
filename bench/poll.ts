import type { Client } from '../dev/client.ts'
import { jobQuery } from '../edge/jobs/queries.ts'
import type { Measure, Order } from './measure.ts'
import { openJob } from './open-job.ts'
import { medianOf } from './statistics.ts'
import type { BenchSystem } from './system.ts'

const PAIRS_PER_ROUND = 200

/** How long a poll takes its caller, against what it can't do without: one call of the edge and one read. */
export const poll: Measure = {
  name: 'poll',
  title:
    "GET /jobs/{id} with an API key, against GET /me/ping and the same read as the database's own together",
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

/** One poll, one ping and one read, and so on. */
async function measurePairs({ db }: BenchSystem, client: Client, account_id: number, order: Order) {
  const job = await openJob(db, account_id)
  const path = `/api/v1/jobs/${job.id}`
  const readBare = async () => {
    await ask(client, '/api/v1/me/ping')
    await jobQuery(db, job.id)
  }
  const [ours, reference]: [number[], number[]] = [[], []]
  for (let pair = 0; pair < PAIRS_PER_ROUND; pair += 1) {
    if (order === 'reference first') reference.push(await time(readBare))
    ours.push(await time(() => ask(client, path)))
    if (order === 'ours first') reference.push(await time(readBare))
  }
  await job.end()
  return { ours: medianOf(ours), reference: medianOf(reference) }
}

async function ask(client: Client, path: string): Promise<void> {
  const response = await client.send('GET', path)
  const answer = await response.text()
  if (response.status !== 200) throw new Error(`${path} was answered ${response.status}: ${answer}`)
}

/** In milliseconds. */
async function time(work: () => PromiseLike<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}
