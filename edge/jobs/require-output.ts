import type { Deps } from '../deps.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { faultAt } from '../platform/errors/rules/field-faults.ts'
import { loadFolders } from '../storage-connections/grant.ts'
import type { Submitter } from './accept.ts'
import { fitsFolder, isDistinctPerFile, type JobOutput } from './rules/output.ts'

/**
 * Checks that the caller can export to the given output. Throws 422 for an anonymous caller, for an unknown storage
 * connection, if a key can be too long, and if all files of a batch would have the same key. Contract: Storage connections, Export.
 */
export async function requireOutput(
  deps: Deps,
  { account }: Submitter,
  { storage, key }: JobOutput,
  { operation_key, file_count = 1 }: { operation_key: string; file_count?: number },
): Promise<void> {
  if (account === null) throw refuse(['body', 'output'], 'output_needs_account')
  const prefix = (await loadFolders(deps, account.id)).get(storage)
  if (prefix === undefined) throw refuse(['body', 'output', 'storage'], 'unknown_storage_connection')
  if (!fitsFolder(key, operation_key, prefix)) throw refuse(['body', 'output', 'key'], 'output_key_too_long')
  if (file_count > 1 && !isDistinctPerFile(key)) {
    throw refuse(['body', 'output', 'key'], 'output_key_repeats')
  }
}

function refuse(
  loc: string[],
  code: 'output_needs_account' | 'unknown_storage_connection' | 'output_key_too_long' | 'output_key_repeats',
): ApiError {
  return new ApiError('validation_failed', { faults: [faultAt(loc, code)] })
}
