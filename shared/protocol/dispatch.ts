import { z } from 'zod'
import { SERVICE_SLUGS } from '../planning/operation.ts'
import { Traceparent } from './traceparent.ts'

/** Maximum number of operations after the first. */
export const PIPELINE_STAGES_MAX = 20

/** Location of an input: an object in our storage or the customer's storage, or a public URL to import. */
export const Source = z.discriminatedUnion('kind', [
  /** `etag` is that of the object whose content the edge has checked; absent for results. */
  z.object({ kind: z.literal('object'), key: z.string(), etag: z.string().optional() }),
  /** `has_headers` is true if the edge has headers for the request; see storage-access.ts. */
  z.object({ kind: z.literal('url'), url: z.url(), has_headers: z.boolean().optional() }),
  /** An object in the storage of the customer, as `storage://NAME/KEY`; see storage-access.ts. */
  z.object({ kind: z.literal('storage'), address: z.string() }),
  /** A public video link, for operations on links. */
  z.object({ kind: z.literal('link'), url: z.url() }),
])
export type Source = z.infer<typeof Source>
/** An object in our storage. With an etag, only that version of it is read. */
export type StoredObject = Pick<Extract<Source, { kind: 'object' }>, 'key' | 'etag'>

/** A further operation of the same service that works on the output of the previous one. */
export const PipelineStage = z.object({
  operation_key: z.string(),
  params: z.record(z.string(), z.unknown()),
})

/** A job, as sent from the edge to the fleet. The job id is also the id in the fleet's queue. */
export const Dispatch = z.object({
  job_id: z.string(),
  /** The account that pays, which the final report repeats; null for an anonymous job, absent in older dispatches. */
  account_id: z.int().nullable().optional(),
  /**
   * Folder of the job's results in storage. Random, because the URL of a result must not reveal the job id. Absent
   * in dispatches that predate this field.
   */
  result_id: z.string().optional(),
  /** Number of times the edge has dispatched this job; the first part of the fence. */
  dispatch: z.int().min(1),
  service_slug: z.enum(SERVICE_SLUGS),
  operation_key: z.string(),
  params: z.record(z.string(), z.unknown()),
  source: Source,
  /** Size of the input; absent if the fleet imports it, and in dispatches of older edges. */
  input_bytes: z.int().min(0).optional(),
  pipeline: z.array(PipelineStage).max(PIPELINE_STAGES_MAX).default([]),
  /** Additional files, keyed by `assetKey` (shared/planning/pipeline.ts). */
  assets: z.record(z.string(), Source).default({}),
  /** True if the result is also written to the storage of the customer; see storage-access.ts. */
  exports: z.boolean().optional(),
  /** Name of the input as the caller knows it; results are named after it. */
  filename: z.string(),
  /** True if the caller chose `filename`. Otherwise the server of an imported file can give it another name. */
  is_named: z.boolean().optional(),
  /** Length limit, and the tier named in its error message. Contract: Limits, Input length ceiling. */
  max_input_seconds: z.number().positive(),
  tier: z.enum(['anonymous', 'free', 'paid']),
  /** Rank of the tier or plan: 1 is served first; see edge/jobs/rules/queue-priority.ts. */
  priority: z.int().min(1).max(1000),
  /** Accounts take turns in the queues of the fleet. Absent in dispatches of older edges. */
  account_key: z.string().max(200).optional(),
  hold_ms: z.int().min(0),
  /** The trace of the request that submitted the job. Absent in dispatches of older edges. */
  traceparent: Traceparent,
})
export type Dispatch = z.infer<typeof Dispatch>

/** POST {fleet}/jobs */
export const DispatchBatch = z.object({ jobs: z.array(Dispatch).min(1).max(100) })

/**
 * Body of a 422 to a batch: the fleet cannot read the dispatches at these positions and has accepted the others. A
 * fleet that predates this body accepts none of the batch.
 */
export const PartialRefusal = z.object({ refused: z.array(z.int().min(0)).min(1) })

/** POST {fleet}/cancel */
export const CancelRequest = z.object({ job_id: z.string() })

/** GET {fleet}/ready; the request is signed with an empty body. */
export const FleetReadiness = z.object({
  cache: z.enum(['ok', 'down']),
  /** Changes when the fleet has lost its queue. Absent while the cache is down, and in answers of older fleets. */
  queue_id: z.string().optional(),
})
export type FleetReadiness = z.infer<typeof FleetReadiness>
