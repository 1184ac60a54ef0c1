import type { Endpoints } from '../generated/endpoints.ts'
import type { Submission } from '../generated/operations.ts'
import type { Batch, BatchRunRequest } from '../generated/types.ts'
import { publicUrl } from './input.ts'
import type { CallOptions, Input, Progress } from './options.ts'
import { pause } from './retry.ts'
import { runConcurrently } from './run-concurrently.ts'
import { type UploadContext, uploadInput } from './upload.ts'

const WAIT_SECONDS = 5
const PAUSE_MS = 500

/** An operation on files, without a file. */
export type BatchSpec = Submission extends infer Each
  ? Each extends { file: Input }
    ? Omit<Each, 'file'>
    : never
  : never

export interface BatchOptions extends CallOptions {
  /** Public URL that receives a signed event when the batch ends. */
  webhookUrl?: string
  onProgress?: (progress: Omit<Progress, 'jobId'>) => void
}

type WaitOptions = Pick<BatchOptions, 'signal' | 'onProgress'>

/** Batch endpoints, and the methods that the client adds. */
export type Batches = Endpoints['batches'] & {
  /**
   * Uploads the files unless they are URLs, runs an operation on all of them, and waits for the end. Aborting the
   * signal cancels the batch.
   */
  run(files: readonly Input[], spec: BatchSpec, options?: BatchOptions): Promise<Batch>
  /** Waits until a batch ends, whatever its final status. */
  wait(batch_id: string, options?: WaitOptions): Promise<Batch>
}

export function makeBatches(context: UploadContext, endpoints: Endpoints['batches']): Batches {
  const wait = (batch_id: string, options: WaitOptions = {}) => waitForBatch(endpoints, batch_id, options)
  return {
    ...endpoints,
    wait,
    async run(files, { service, operation, params }, options = {}) {
      const { signal, idempotencyKey, webhookUrl } = options
      const body = {
        service_slug: service,
        operation_key: operation,
        params: { ...params },
        file_urls: await uploadFiles(context, files, options),
        ...(webhookUrl !== undefined && { webhook_url: webhookUrl }),
      } as BatchRunRequest
      signal?.throwIfAborted()
      // The signal is omitted, because an interrupted submission could leave a batch that nobody can cancel.
      const { id } = await endpoints.submit(body, { idempotencyKey })
      try {
        return await wait(id, options)
      } catch (error) {
        if (signal?.aborted) await endpoints.cancel(id).catch(() => undefined)
        throw error
      }
    },
  }
}

/** Uploads the files that are not URLs, a few at a time. @returns the URLs of all files in their order */
function uploadFiles(
  context: UploadContext,
  files: readonly Input[],
  { signal, onProgress }: BatchOptions,
): Promise<string[]> {
  const fractions = files.map(() => 0)
  const report = (index: number, fraction: number) => {
    fractions[index] = fraction
    const sum = fractions.reduce((total, each) => total + each, 0)
    onProgress?.({ phase: 'uploading', fraction: sum / files.length })
  }
  return runConcurrently(files.length, signal, async (index, uploadSignal) => {
    const file = files[index] as Input
    const url = publicUrl(file)
    if (url !== null) return url
    const uploading = {
      signal: uploadSignal,
      onProgress: ({ fraction }: Progress) => report(index, fraction),
    }
    return (await uploadInput(context, file, uploading)).url
  })
}

async function waitForBatch(
  { get }: Endpoints['batches'],
  batch_id: string,
  { signal, onProgress }: WaitOptions,
): Promise<Batch> {
  for (;;) {
    const batch = await get(batch_id, { wait: WAIT_SECONDS, signal })
    const { status, done, failed, canceled, total } = batch
    onProgress?.({ phase: 'processing', fraction: (done + failed + canceled) / total })
    if (status !== 'queued' && status !== 'processing') return batch
    await pause(PAUSE_MS, signal)
  }
}
