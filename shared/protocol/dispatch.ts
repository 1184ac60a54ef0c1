import { z } from 'zod'
import { SERVICE_SLUGS } from '../planning/operation.ts'

/** Operations that may follow the first one. */
export const PIPELINE_STAGES_MAX = 20

/** Where the fleet finds the input: an object of our storage, or a public address that it imports. */
export const Source = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('object'), key: z.string() }),
  z.object({ kind: z.literal('url'), url: z.url() }),
  /** A public video link, for the operations that take one. */
  z.object({ kind: z.literal('link'), url: z.url() }),
])
export type Source = z.infer<typeof Source>

/** A further operation of the same service, which continues where the one before it ended. */
export const PipelineStage = z.object({
  operation_key: z.string(),
  params: z.record(z.string(), z.unknown()),
})

/** One job on its way from the edge to the fleet. The job id is also the id in the fleet's queue. */
export const Dispatch = z.object({
  job_id: z.string(),
  /**
   * The folder of the job's results in storage. It is random, because whoever reads the URL of a result must
   * not learn the job's id. Absent in dispatches written before there was one.
   */
  result_id: z.string().optional(),
  /** Counts how often the edge has handed this job over anew; the first part of the fence. */
  dispatch: z.int().min(1),
  service_slug: z.enum(SERVICE_SLUGS),
  operation_key: z.string(),
  params: z.record(z.string(), z.unknown()),
  source: Source,
  pipeline: z.array(PipelineStage).max(PIPELINE_STAGES_MAX).default([]),
  /** Files besides the input, by `assetKey` (planning/pipeline.ts). */
  assets: z.record(z.string(), Source).default({}),
  /** The name a person knows the input by; results are named after it. */
  filename: z.string(),
  /** The limit and the tier that the error sentence names. Contract: Limits, Input length ceiling. */
  max_input_seconds: z.number().positive(),
  tier: z.enum(['anonymous', 'free', 'paid']),
  /** BullMQ's: 1 is served first. */
  priority: z.int().min(1).max(1000),
  hold_ms: z.int().min(0),
})
export type Dispatch = z.infer<typeof Dispatch>

/** POST {fleet}/jobs */
export const DispatchBatch = z.object({ jobs: z.array(Dispatch).min(1).max(100) })

/** POST {fleet}/cancel */
export const CancelRequest = z.object({ job_id: z.string() })

/** GET {fleet}/ready; asked for signed as well, with an empty body. */
export const FleetReadiness = z.object({ cache: z.enum(['ok', 'down']) })
