import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Client, Job } from '../../dev/client.ts'
import { contentTypeOf } from '../../shared/planning/formats.ts'

const JOB_MS_MAX = 60_000

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

/** Submits a job and polls until it ends, whatever its final status. */
export async function run(...args: Parameters<typeof submit>): Promise<Job> {
  const { id } = await submit(...args)
  return args[0].waitForJob(id, JOB_MS_MAX)
}

export interface Finished {
  job: Job
  result: NonNullable<Job['result']>
}

/** Runs a job that must succeed. */
export async function runToResult(...args: Parameters<typeof submit>): Promise<Finished> {
  const job = await run(...args)
  expect([job.status, job.error]).toEqual(['done', null])
  if (job.result === null) throw new Error('The job is done but has no result.')
  return { job, result: job.result }
}

/** Downloads a result into the folder and checks that its size matches the job. */
export async function saveResult(client: Client, { result }: Finished, folder: string): Promise<string> {
  const bytes = Buffer.from(await (await client.download(result.url)).arrayBuffer())
  expect(bytes.length).toBe(result.size_bytes)
  const path = join(folder, `${crypto.randomUUID()}-${result.filename}`)
  await writeFile(path, bytes)
  return path
}

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
