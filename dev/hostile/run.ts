import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { type Ending, type JobSpec, startAttempts } from '../../media-backend/testing/attempt-jobs.ts'
import { ADDED_AUDIO, ASSET_JOBS, listJobSpecs } from './job-specs.ts'

/**
 * The traced process of `npm run hostile`: runs every operation on the files in a folder. Its arguments are the
 * folder and, to also run all operations on unreadable files, `every`.
 */
const [folder = '', extent = ''] = process.argv.slice(2)
const Manifest = z.object({
  valid: z.string(),
  files: z.array(z.object({ name: z.string(), service: z.enum(['video', 'image']), file: z.string() })),
})
const { files, valid } = Manifest.parse(JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')))
const validFile = await readFile(join(folder, valid))
const attempts = await startAttempts({ JOB_SECONDS_MAX: '60' })
/** Uses the hostile file as the input. The add_audio operation also requires an asset. */
const asInput = (input: Buffer) => ({ input, [ADDED_AUDIO]: validFile })
const counts = { done: 0, failed: 0, error: 0 }

async function attempt(name: string, spec: JobSpec, content: Record<string, Buffer>): Promise<Ending> {
  const ending = await attempts.attempt(spec, content)
  counts[ending.kind] += 1
  const leftovers = await attempts.leftovers()
  if (ending.kind === 'error')
    process.stderr.write(`FAULT ${name}, ${spec.operation_key}: ${ending.message}\n`)
  if (leftovers.length > 0)
    process.stderr.write(`FAULT ${name}, ${spec.operation_key}: files remain: ${leftovers.join(' ')}\n`)
  return ending
}

for (const [index, { name, service, file }] of files.entries()) {
  const input = await readFile(join(folder, file))
  const specs = listJobSpecs(service)
  // All operations handle an unreadable file the same way, so only one operation runs on each of these files. It is
  // a different one each time.
  const [first, ...others] = [...specs.slice(index % specs.length), ...specs.slice(0, index % specs.length)]
  if (first === undefined) throw new Error(`The service ${service} has no operations that accept a file.`)
  const ending = await attempt(name, first, asInput(input))
  const is_unreadable = ending.kind === 'failed' && ending.error_code === 'input_unreadable'
  if (!is_unreadable || extent === 'every')
    for (const spec of others) await attempt(name, spec, asInput(input))
  for (const { spec, key } of ASSET_JOBS) await attempt(name, spec, { input: validFile, [key]: input })
}
await attempts.close()
process.stderr.write(`JOBS ${counts.done} done, ${counts.failed} failed, ${counts.error} internal errors\n`)
