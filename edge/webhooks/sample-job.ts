import type { Deps } from '../deps.ts'
import type { ShownJob } from '../jobs/list-queries.ts'
import { viewJob } from '../jobs/view.ts'

const PROCESSING_MS = 4200
const RESULT_LIFE_MS = 24 * 60 * 60 * 1000

/** Returns a fictional job record for a test event. Its result cannot be downloaded. */
export function sampleJob(deps: Pick<Deps, 'env' | 'locale'>, id: string, at: number) {
  const file = {
    key: `results/${id}/1000/sample.mp4`,
    filename: 'sample.mp4',
    content_type: 'video/mp4',
    size_bytes: 1_048_576,
    sha256: '0'.repeat(64),
  }
  const job: ShownJob = {
    ...{
      id,
      accountId: null,
      keyId: null,
      anonymousKey: null,
      anonymousBlock: null,
      ownerKey: null,
      anonymousNumber: null,
    },
    ...{ batchId: null, batchPosition: null, repeatOf: null, webhookUrl: null, resultId: id },
    ...{ output: null, sealedHeaders: null, tag: null, metadata: {}, template: null },
    ...{ serviceSlug: 'video', operationKey: 'compress', source: 'api', status: 'done', progress: 100 },
    params: { file_url: `${deps.env.PUBLIC_URL}/files/uploads/${id}/sample.mov`, level: 'medium' },
    tariff: { base_credits: 2, per_extra_minute_credits: 1, max_credits: 30 },
    ...{
      estimatedCost: 2,
      finalCost: 2,
      processingMs: PROCESSING_MS,
      error: null,
      errorCode: null,
      failure: null,
    },
    result: {
      files: [file],
      body: { encode_mode: 'encode', width: 1280, height: 720, duration_seconds: 12, format: 'mp4' },
    },
    ...{ transitions: 3, fence: 1000, heardAt: at, createdAt: at - 2 * PROCESSING_MS },
    ...{
      startedAt: at - PROCESSING_MS,
      finishedAt: at,
      expiresAt: at + RESULT_LIFE_MS,
      purgedAt: null,
      deletedAt: null,
    },
  }
  return viewJob(deps, job)
}
