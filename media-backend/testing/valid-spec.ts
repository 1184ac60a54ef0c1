import { findOperation } from '../../shared/operations/index.ts'
import { validateParams } from '../../shared/planning/validate.ts'
import type { JobSpec } from './attempt-jobs.ts'

/**
 * An order as the edge would take it.
 * @throws where it would be refused: what is sent for the sake of its file must not fail for its parameters.
 */
export function validSpec(
  service_slug: JobSpec['service_slug'],
  operation_key: string,
  params: JobSpec['params'] = {},
): JobSpec {
  const operation = findOperation(service_slug, operation_key)
  if (operation === undefined) throw new Error(`there is no ${service_slug}/${operation_key}`)
  const valid = validateParams(operation, params)
  if ('refused' in valid) throw new Error(`${service_slug}/${operation_key}: ${valid.refused.message}`)
  return { service_slug, operation_key, params }
}
