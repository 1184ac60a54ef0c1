import type { Deps } from '../deps.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { faultAt } from '../platform/errors/rules/field-faults.ts'
import { listConnectionNames } from '../storage-connections/grant.ts'
import type { Submitter } from './accept.ts'
import type { JobOutput } from './rules/output.ts'

/**
 * Checks that the caller can export to the given output. Throws 422 for an anonymous caller, for an unknown storage
 * connection, and if all files of a batch would have the same key. Contract: Storage connections, Export.
 */
export async function requireOutput(
  deps: Deps,
  { account }: Submitter,
  { storage, key }: JobOutput,
  file_count = 1,
): Promise<void> {
  if (account === null) throw refuse(['body', 'output'], 'output_needs_account')
  if (!(await listConnectionNames(deps, account.id)).has(storage)) {
    throw refuse(['body', 'output', 'storage'], 'unknown_storage_connection')
  }
  if (file_count > 1 && !/\{(job_id|filename)\}/.test(key)) {
    throw refuse(['body', 'output', 'key'], 'output_key_repeats')
  }
}

function refuse(
  loc: string[],
  code: 'output_needs_account' | 'unknown_storage_connection' | 'output_key_repeats',
): ApiError {
  return new ApiError('validation_failed', { faults: [faultAt(loc, code)] })
}
