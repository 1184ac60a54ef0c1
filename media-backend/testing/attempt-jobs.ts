import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { KnownFailure } from '../../shared/failures/failures.ts'
import type { Dispatch } from '../../shared/protocol/dispatch.ts'
import type { Outcome } from '../../shared/protocol/job-report.ts'
import { parseEnvironment } from '../environment.ts'
import { runJob } from '../job/job.ts'
import { JobFailure } from '../runtime/failure.ts'
import { startWaits } from '../runtime/waits.ts'
import { createStorage } from '../storage/storage.ts'
import { checkBody } from './check-body.ts'
import { listJobFolders } from './job-folders.ts'
import { startObjectServer } from './object-server.ts'

/** The result of an attempt at a job. `error` is an internal error, which the queue would retry. */
export type Ending =
  | { kind: 'done'; outcome: Outcome }
  | { kind: 'failed'; error_code: string; message: string; reason: KnownFailure }
  | { kind: 'error'; message: string }

export type JobSpec = Pick<Dispatch, 'service_slug' | 'operation_key' | 'params'>

/** Runs whole jobs on arbitrary files, with object storage but without a queue. */
export interface JobAttempts {
  /** Port of the object storage. */
  port: number
  work_directory: string
  /** @param files the `input`, and assets by key. */
  attempt(spec: JobSpec, files: Record<string, Buffer>): Promise<Ending>
  /** Lists the files that attempts left in the work directory. */
  leftovers(): Promise<string[]>
  close(): Promise<void>
}

export async function startAttempts(variables: Record<string, string> = {}): Promise<JobAttempts> {
  const [server, work_directory] = await Promise.all([
    startObjectServer('media-files'),
    mkdtemp(join(tmpdir(), 'fleet-attempts-')),
  ])
  const environment = parseEnvironment({
    ...{ EDGE_URL: server.url, FLEET_KEYS: 'YWFh', S3_ENDPOINT: server.url, WORK_DIRECTORY: work_directory },
    ...{ S3_ACCESS_KEY_ID: 'a', S3_SECRET_ACCESS_KEY: 'b', ...variables },
  })
  const storage = createStorage(environment)
  let jobs = 0
  return {
    port: Number(new URL(server.url).port),
    work_directory,
    async attempt(spec, files) {
      jobs += 1
      const number = jobs
      const keyOf = (name: string) => `${number}/${name}`
      for (const [name, content] of Object.entries(files)) server.objects.set(keyOf(name), content)
      const assets = Object.keys(files).filter((name) => name !== 'input')
      const dispatch: Dispatch = {
        ...spec,
        ...{ job_id: `job-${number}`, dispatch: 1, pipeline: [], filename: 'file.mp4' },
        ...{ max_input_seconds: 600, tier: 'free', priority: 1, hold_ms: 0 },
        source: { kind: 'object', key: keyOf('input') },
        assets: Object.fromEntries(assets.map((name) => [name, { kind: 'object', key: keyOf(name) }])),
      }
      const signal = AbortSignal.timeout(environment.JOB_SECONDS_MAX * 1000)
      const times = { picked_up_at: new Date(), waits: startWaits() }
      const attempt = { dispatch, fence: 1, ...times, signal, reportPercent: () => {} }
      const ending = await runJob(attempt, { environment, storage }).then(doneBy, failedBy)
      if (ending.kind === 'done' && ending.outcome.status === 'done') checkBody(dispatch, ending.outcome.body)
      forget(server.objects, [`${number}/`, `results/job-${number}/`])
      return ending
    },
    leftovers: () => listJobFolders(work_directory),
    async close() {
      await server.close()
      await rm(work_directory, { recursive: true, force: true })
    },
  }
}

function doneBy(outcome: Outcome): Ending {
  return { kind: 'done', outcome }
}

function failedBy(error: unknown): Ending {
  if (error instanceof JobFailure) {
    const { error_code, message, reason } = error
    return { kind: 'failed', error_code, message, reason }
  }
  return { kind: 'error', message: error instanceof Error ? (error.stack ?? error.message) : String(error) }
}

function forget(objects: Map<string, Buffer>, prefixes: readonly string[]): void {
  for (const key of objects.keys()) if (prefixes.some((prefix) => key.startsWith(prefix))) objects.delete(key)
}
