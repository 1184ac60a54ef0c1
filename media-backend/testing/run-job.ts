import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Dispatch } from '../../shared/protocol/dispatch.ts'
import type { Outcome } from '../../shared/protocol/job-report.ts'
import { parseEnvironment } from '../environment.ts'
import { runJob } from '../job/job.ts'
import { JobFailure } from '../runtime/failure.ts'
import { startWaits } from '../runtime/waits.ts'
import { createStorage } from '../storage/storage.ts'
import { checkBody } from './check-body.ts'
import { type ObjectServer, startObjectServer } from './object-server.ts'

export type Done = Extract<Outcome, { status: 'done' }>

/** Runs whole jobs, from download to upload, with object storage but without a queue. */
export interface JobRunner {
  /** The storage, which counts the bytes read from each object. */
  server: ObjectServer
  /** Returns the outcome, the bytes of the first result, and its path for other programs. */
  run(spec: Partial<Dispatch>, files?: Record<string, Buffer>): Promise<JobDone>
  /** Returns the error with which a job fails. Such a job leaves no files, here or in storage. */
  fail(spec: Partial<Dispatch>, files?: Record<string, Buffer>): Promise<string>
  close(): Promise<void>
}

export interface JobDone {
  outcome: Done
  content: Buffer
  path: string
  percents: number[]
  /** Time of each report, in milliseconds since the start of the job. */
  reported_ms: number[]
}

/**
 * Starts a job runner. It stores the files of a job: `input`, and all others as assets by key.
 * @param variables environment variables for the fleet.
 */
export async function startJobRunner(
  variables: Record<string, string> = {},
  job_seconds_max = 60,
): Promise<JobRunner> {
  const [server, folder] = await Promise.all([
    startObjectServer('media-files'),
    mkdtemp(join(tmpdir(), 'fleet-jobs-')),
  ])
  const environment = parseEnvironment({
    ...{ EDGE_URL: server.url, FLEET_KEYS: 'YWFh', S3_ENDPOINT: server.url, WORK_DIRECTORY: folder },
    ...{ S3_ACCESS_KEY_ID: 'a', S3_SECRET_ACCESS_KEY: 'b', ...variables },
  })
  const storage = createStorage(environment)
  let jobs = 0
  const start = async (spec: Partial<Dispatch>, files: Record<string, Buffer>): Promise<JobDone> => {
    jobs += 1
    for (const [name, content] of Object.entries(files)) server.objects.set(`${jobs}/${name}`, content)
    const assets = Object.keys(files).filter((name) => name !== 'input')
    const percents: number[] = []
    const reported_ms: number[] = []
    const start_ms = performance.now()
    const dispatch: Dispatch = {
      ...{ job_id: `job-${jobs}`, dispatch: 1, service_slug: 'video', operation_key: 'mute', params: {} },
      ...{ source: { kind: 'object', key: `${jobs}/input` }, pipeline: [], filename: 'clip.mp4' },
      ...{ max_input_seconds: 600, tier: 'free', priority: 1, hold_ms: 0 },
      assets: Object.fromEntries(assets.map((name) => [name, { kind: 'object', key: `${jobs}/${name}` }])),
      ...spec,
    }
    const reportPercent = (percent: number) => {
      percents.push(percent)
      reported_ms.push(performance.now() - start_ms)
    }
    const signal = AbortSignal.timeout(job_seconds_max * 1000)
    const attempt = {
      dispatch,
      fence: 1,
      picked_up_at: new Date(),
      signal,
      waits: startWaits(),
      reportPercent,
    }
    const outcome = await runJob(attempt, { environment, storage })
    if (outcome.status === 'done') checkBody(dispatch, outcome.body)
    const [file] = outcome.status === 'done' ? outcome.files : []
    const content = server.objects.get(file?.key ?? '')
    for (const { key } of outcome.status === 'done' ? outcome.files : []) server.objects.delete(key)
    if (outcome.status !== 'done' || content === undefined) throw new Error('the job has no result')
    const path = join(folder, `result-${jobs}`)
    await writeFile(path, content)
    return { outcome, content, path, percents, reported_ms }
  }
  return {
    server,
    run: (spec, files = {}) => start(spec, files),
    async fail(spec, files = {}) {
      const error: unknown = await start(spec, files).then(
        () => null,
        (reason: unknown) => reason,
      )
      if (!(error instanceof JobFailure)) throw error ?? new Error('the job did not fail')
      const stored = [...server.objects.keys()].filter((key) => key.startsWith('results/'))
      const left = [...(await readdir(folder)).filter((name) => name.startsWith('job-')), ...stored]
      if (left.length > 0) throw new Error(`${left.join(', ')} was left`)
      return error.message
    },
    async close() {
      await server.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
