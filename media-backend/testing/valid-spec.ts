import { findOperation } from '../../shared/operations/index.ts'
import { validateParams } from '../../shared/planning/validate.ts'
import type { JobSpec } from './attempt-jobs.ts'

/**
 * Returns a job spec that the edge would accept.
 * @throws Error if the edge would refuse it, because tests of files must not fail because of their parameters.
 */
export function validSpec(
  service_slug: JobSpec['service_slug'],
  operation_key: string,
  params: JobSpec['params'] = {},
): JobSpec {
  const operation = findOperation(service_slug, operation_key)
  if (operation === undefined) throw new Error(`there is no ${service_slug}/${operation_key}`)
  const valid = validateParams(operation, params)
  if ('refused' in valid) throw new Error(`${service_slug}/${operation_key}: ${valid.refused.message.en}`)
  return { service_slug, operation_key, params }
}
