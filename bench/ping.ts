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

const Load = z.object({
  '2xx': z.int(),
  non2xx: z.int(),
  errors: z.int(),
  requests: z.object({ average: z.number() }),
})

/** Requests a second that the edge answers, its key check and JSON against none. */
export const ping: Measure = {
  name: 'ping',
  title: `GET /me/ping with an API key, against a bare Worker that answers JSON, ${CONNECTIONS} connections`,
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
    const key = ['-H', `X-Api-Key: ${client.token}`]
    await load(url, key, WARM_UP_SECONDS)
    await load(bare.url, key, WARM_UP_SECONDS)
    return {
      round: (order) =>
        measureBoth(
          order,
          () => load(url, key, ROUND_SECONDS),
          () => load(bare.url, key, ROUND_SECONDS),
        ),
      close: bare.stop,
    }
  },
}

/** Runs autocannon, in a process of its own. Throws when any answer was not a 2xx. */
async function load(url: string, headers: string[], seconds: number): Promise<number> {
  const args = ['--json', '-c', String(CONNECTIONS), '-d', String(seconds), ...headers, url]
  const { stdout } = await promisify(execFile)(process.execPath, [installedProgram('autocannon'), ...args])
  const { '2xx': good, non2xx, errors, requests } = Load.parse(JSON.parse(stdout))
  if (good === 0 || non2xx > 0 || errors > 0) {
    throw new Error(`${url}: ${good} good answers, ${non2xx} others, ${errors} errors`)
  }
  return requests.average
}
