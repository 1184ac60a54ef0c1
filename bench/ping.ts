import { execFile } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'
import { installedProgram } from '../dev/system/root.ts'
import { startBareWorker } from './bare-edge.ts'
import { type Measure, measureBoth } from './measure.ts'

const CONNECTIONS = 16
const ROUND_SECONDS = 4
const WARM_UP_SECONDS = 3

const LoadResult = z.object({
  '2xx': z.int(),
  non2xx: z.int(),
  errors: z.int(),
  requests: z.object({ average: z.number() }),
})

/** Compares the requests per second of the edge with those of a Worker that does not check API keys. */
export const ping: Measure = {
  name: 'ping',
  title: `GET /me/ping with an API key, against a bare Worker that returns JSON, ${CONNECTIONS} connections`,
  unit: 'requests/s',
  goal: 0.7,
  direction: 'at least',
  needsSystem: true,
  async open(bench) {
    const folder = join(bench.folder, 'ping')
    await mkdir(folder)
    const { client } = await bench.system().openAccount()
    const bare = await startBareWorker(folder, 'bare-worker')
    const url = new URL('/api/v1/me/ping', client.apiUrl).href
    const keyHeader = ['-H', `X-Api-Key: ${client.token}`]
    await runLoad(url, keyHeader, WARM_UP_SECONDS)
    await runLoad(bare.url, keyHeader, WARM_UP_SECONDS)
    return {
      round: (order) =>
        measureBoth(
          order,
          () => runLoad(url, keyHeader, ROUND_SECONDS),
          () => runLoad(bare.url, keyHeader, ROUND_SECONDS),
        ),
      close: bare.stop,
    }
  },
}

/**
 * Runs autocannon in a separate process.
 * @returns requests per second.
 * @throws Error if any response is not 2xx.
 */
async function runLoad(url: string, headers: string[], seconds: number): Promise<number> {
  const args = ['--json', '-c', String(CONNECTIONS), '-d', String(seconds), ...headers, url]
  const { stdout } = await promisify(execFile)(process.execPath, [installedProgram('autocannon'), ...args])
  const { '2xx': successes, non2xx, errors, requests } = LoadResult.parse(JSON.parse(stdout))
  if (successes === 0 || non2xx > 0 || errors > 0) {
    throw new Error(`${url}: ${successes} 2xx responses, ${non2xx} non-2xx responses, ${errors} errors`)
  }
  return requests.average
}
