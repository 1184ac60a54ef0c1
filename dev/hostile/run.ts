import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { type Ending, type JobSpec, startAttempts } from '../../media-backend/testing/attempt-jobs.ts'
import { ADDED_SOUND, ASSET_ORDERS, ordersOf } from './orders.ts'

/**
 * The part of `npm run hostile` that is watched: sends the files of a folder through every operation.
 * Arguments: the folder, and "every" for all operations also with files that none of them can read.
 */
const [folder = '', extent = ''] = process.argv.slice(2)
const Manifest = z.object({
  good: z.string(),
  files: z.array(z.object({ name: z.string(), service: z.enum(['video', 'image']), file: z.string() })),
})
const { files, good } = Manifest.parse(JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')))
const plain = await readFile(join(folder, good))
const attempts = await startAttempts({ JOB_SECONDS_MAX: '60' })
/** The hostile file as input; of assets, add_audio alone can't do without. */
const asInput = (input: Buffer) => ({ input, [ADDED_SOUND]: plain })
const counts = { done: 0, failed: 0, error: 0 }

async function attempt(name: string, order: JobSpec, content: Record<string, Buffer>): Promise<Ending> {
  const ending = await attempts.attempt(order, content)
  counts[ending.kind] += 1
  const left = await attempts.leftovers()
  if (ending.kind === 'error')
    process.stderr.write(`FAULT ${name}, ${order.operation_key}: ${ending.message}\n`)
  if (left.length > 0) process.stderr.write(`FAULT ${name}, ${order.operation_key}: left ${left.join(' ')}\n`)
  return ending
}

for (const [index, { name, service, file }] of files.entries()) {
  const input = await readFile(join(folder, file))
  const orders = ordersOf(service)
  // Operations differ only in what they do with a file that was read: those that can't be take turns.
  const [first, ...others] = [
    ...orders.slice(index % orders.length),
    ...orders.slice(0, index % orders.length),
  ]
  if (first === undefined) throw new Error('there are no operations')
  const ending = await attempt(name, first, asInput(input))
  const is_unread = ending.kind === 'failed' && ending.error_code === 'input_unreadable'
  if (!is_unread || extent === 'every') for (const order of others) await attempt(name, order, asInput(input))
  for (const { order, key } of ASSET_ORDERS) await attempt(name, order, { input: plain, [key]: input })
}
await attempts.close()
process.stderr.write(`JOBS ${counts.done} done, ${counts.failed} refused, ${counts.error} broken\n`)
