import type { Endpoints } from '../generated/endpoints.ts'
import type { Submission } from '../generated/operations.ts'
import type { Job, JobSubmit } from '../generated/types.ts'
import { followJob, hasEnded, type JobEvent } from './events.ts'
import { publicUrl } from './input.ts'
import type { CallOptions, RunOptions } from './options.ts'
import { type MediaResult, resultOf } from './result.ts'
import { type UploadContext, uploadInput } from './upload.ts'

type FollowOptions = Pick<CallOptions, 'signal'>

/** Job endpoints, and the methods that the client adds. */
export interface Jobs extends Omit<Endpoints['jobs'], 'submit'> {
  /** Uploads the file unless it is a URL, and submits a job. */
  submit(submission: Submission, options?: RunOptions): Promise<Job>
  /** Follows a job from start to end. */
  events(job_id: string, options?: FollowOptions): AsyncGenerator<JobEvent>
  /** Waits until a job ends, whatever its final status. */
  wait(job_id: string, options?: FollowOptions & { onEvent?: (event: JobEvent) => void }): Promise<Job>
  /** Returns the result of a finished job. Throws JobError if the job failed or was canceled. */
  result(job: Job): MediaResult
}

export function makeJobs(context: UploadContext, endpoints: Endpoints['jobs']): Jobs {
  const events = (job_id: string, { signal }: FollowOptions = {}) =>
    followJob(context.transport, job_id, signal, (wait) => endpoints.get(job_id, { wait, signal }))
  return {
    ...endpoints,
    events,
    submit: (submission, options = {}) => submitJob(context, endpoints, submission, options),
    async wait(job_id, { signal, onEvent } = {}) {
      for await (const event of events(job_id, { signal })) {
        onEvent?.(event)
        if (event.type === 'status' && event.job !== undefined) return event.job
      }
      return endpoints.get(job_id, { signal })
    },
    result: (job) => resultOf(context.transport, context.platform, job),
  }
}

async function submitJob(
  context: UploadContext,
  endpoints: Endpoints['jobs'],
  submission: Submission,
  options: RunOptions,
): Promise<Job> {
  const { service, operation, params } = submission
  const input =
    'url' in submission ? { url: String(submission.url) } : await fileParams(context, submission, options)
  const { headers, webhookUrl, idempotencyKey, signal } = options
  const body = {
    service_slug: service,
    operation_key: operation,
    params: { ...params, ...input },
    ...(headers !== undefined && { headers }),
    ...(webhookUrl !== undefined && { webhook_url: webhookUrl }),
  } as JobSubmit
  signal?.throwIfAborted()
  // The signal is omitted, because an interrupted submission could leave a job that nobody can cancel.
  return endpoints.submit(body, { idempotencyKey })
}

async function fileParams(
  context: UploadContext,
  { file }: Extract<Submission, { file: unknown }>,
  options: RunOptions,
): Promise<{ file_url: string }> {
  const url = publicUrl(file)
  return { file_url: url ?? (await uploadInput(context, file, options)).url }
}

/**
 * Runs a job and returns its result. Aborting the signal cancels the job. @throws JobError if the job fails or is
 * canceled
 */
export async function runJob(
  jobs: Jobs,
  submission: Submission,
  options: RunOptions = {},
): Promise<MediaResult> {
  const { signal, onProgress } = options
  const { id } = await jobs.submit(submission, options)
  const onEvent = (event: JobEvent) => {
    if (event.type === 'progress') {
      onProgress?.({ phase: 'processing', fraction: event.progress / 100, jobId: id })
    } else if (!hasEnded(event.status)) {
      onProgress?.({ phase: event.status as 'queued' | 'processing', fraction: 0, jobId: id })
    } else if (event.status === 'done') {
      onProgress?.({ phase: 'processing', fraction: 1, jobId: id })
    }
  }
  try {
    return jobs.result(await jobs.wait(id, { signal, onEvent }))
  } catch (error) {
    if (signal?.aborted) await jobs.cancel(id).catch(() => undefined)
    throw error
  }
}
