import { z } from 'zod'
import { findOperation } from '../../shared/operations/index.ts'
import type { Dispatch } from '../../shared/protocol/dispatch.ts'

/**
 * Throws if `result.body` does not match the schema that the job's operation declares. In a pipeline, the last
 * operation makes the result, and the others may add their own fields.
 */
export function checkBody(
  { service_slug, operation_key, pipeline }: Pick<Dispatch, 'service_slug' | 'operation_key' | 'pipeline'>,
  body: Record<string, unknown>,
): void {
  const keys = [operation_key, ...pipeline.map((stage) => stage.operation_key)]
  const bodies = keys.map((key) => findOperation(service_slug, key)?.result_body ?? z.strictObject({}))
  const added = bodies.slice(0, -1).map((earlier) => earlier.partial().shape)
  const last = bodies.at(-1)?.shape
  const parsed = z.strictObject({ ...Object.assign({}, ...added), ...last }).safeParse(body)
  if (!parsed.success)
    throw new Error(`the body of ${service_slug}/${keys.join(' + ')}: ${z.prettifyError(parsed.error)}`)
}
