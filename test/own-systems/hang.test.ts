/** @module-tag extended */

import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { findFreePorts } from '../../dev/system/ports.ts'
import { storageUrl } from '../../dev/system/wrangler-config.ts'
import { openAccount } from '../support/accounts.ts'
import { makeClip } from '../support/clips.ts'
import { makeTestFolder } from '../support/folder.ts'
import { type HeldLine, openHeldLine } from '../support/held-line.ts'
import { type OperationName, run, submit, upload } from '../support/jobs.ts'
import { useOwnSystem, waitUntilReady } from '../support/own-system.ts'

/** Less than the 60 s after which requests fail, and enough for another minute of the tariff. */
const HANG_MS = 58_000
const HANG_TEST_MS_MAX = 150_000
const JOB_MS_MAX = 60_000
/** Three of them stop in the middle of a request; the others encode, or end. */
const OPERATIONS: OperationName[] = [
  ...(['video/compress', 'video/thumbnail', 'video/compress'] as const),
  ...(['video/thumbnail', 'video/compress'] as const),
]

let line: HeldLine | null = null
const folder = makeTestFolder()
const system = useOwnSystem(async () => {
  const ports = await findFreePorts()
  line = await openHeldLine(ports.edge)
  const url = new URL(storageUrl(ports))
  url.port = String(line.port)
  const addresses = { EDGE_URL: url.origin, S3_ENDPOINT: url.href }
  return { ports, fleet: { ...addresses, QUICK_CONCURRENCY: '5', IMAGE_CONCURRENCY: '2' } }
})
afterAll(() => line?.close())

test('a hang of storage and edge in the middle of a fetch, an upload and a report costs nothing', {
  timeout: HANG_TEST_MS_MAX,
}, async () => {
  const { client } = await openAccount(system().api_url)
  const clip = await makeClip(folder, { name: 'clip.mp4', seconds: 20, size: '640x360' })
  const file_url = await upload(client, clip)
  const costs = new Map<OperationName, number | null>()
  for (const operation of new Set(OPERATIONS)) {
    const { final_cost } = await run(client, operation, file_url)
    costs.set(operation, final_cost)
  }
  const held = line?.hold()
  const jobs = await Promise.all(OPERATIONS.map((operation) => submit(client, operation, file_url)))
  await held
  const { edge } = system().parts
  edge.signal('SIGSTOP')
  line?.release()
  await pause(HANG_MS)
  edge.signal('SIGCONT')
  await waitUntilReady(client)
  const ended = await Promise.all(jobs.map(({ id }) => client.waitForJob(id, JOB_MS_MAX)))
  expect(ended.map(({ status, error, final_cost }) => [status, error, final_cost])).toEqual(
    OPERATIONS.map((operation) => ['done', null, costs.get(operation)]),
  )
})
