import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Client, Job } from '../../dev/client.ts'
import { contentTypeOf } from '../../shared/planning/formats.ts'

const JOB_MS_MAX = 60_000

/** The name of an operation as people write it. */
export type OperationName =
  | 'video/compress'
  | 'video/trim'
  | 'video/thumbnail'
  | 'image/resize'
  | 'image/convert'

export function upload(client: Client, file: string): Promise<string> {
  return client.upload(file, contentTypeOf(file))
}

export function submit(
  client: Client,
  operation: OperationName,
  file_url: string,
  params: Record<string, unknown> = {},
): Promise<Job> {
  const [service_slug = '', operation_key = ''] = operation.split('/')
  return client.submit({ service_slug, operation_key, params: { ...params, file_url } })
}

/** Submits and polls to the end, whichever it is. */
export async function run(...given: Parameters<typeof submit>): Promise<Job> {
  const { id } = await submit(...given)
  return given[0].waitForJob(id, JOB_MS_MAX)
}

export interface Finished {
  job: Job
  result: NonNullable<Job['result']>
}

/** Runs a job that must succeed. */
export async function runToResult(...given: Parameters<typeof submit>): Promise<Finished> {
  const job = await run(...given)
  expect([job.status, job.error]).toEqual(['done', null])
  if (job.result === null) throw new Error('a job that is done has no result')
  return { job, result: job.result }
}

/** Writes the result's bytes into the folder; what the record says of them must be true of the file. */
export async function saveResult(client: Client, { result }: Finished, folder: string): Promise<string> {
  const bytes = Buffer.from(await (await client.download(result.url)).arrayBuffer())
  expect(bytes.length).toBe(result.size_bytes)
  const path = join(folder, `${crypto.randomUUID()}-${result.filename}`)
  await writeFile(path, bytes)
  return path
}

/** Waits until the job is being worked on. */
export async function waitUntilProcessing(client: Client, id: string): Promise<void> {
  const statuses = new Set<string>()
  await expect
    .poll(
      async () => {
        const { status } = await client.job(id)
        statuses.add(status)
        return status
      },
      { timeout: 30_000, interval: 50 },
    )
    .toBe('processing')
}
