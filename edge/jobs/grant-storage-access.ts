import { type StorageAccess, StorageAccessRequest } from '../../shared/protocol/storage-access.ts'
import type { Deps } from '../deps.ts'
import { findPlace } from '../platform/database/find-place.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { type AccessFault, grantRead, grantWrite, type SignedAccess } from '../storage-connections/grant.ts'
import { addressOfObject, type ObjectAddress, readAddress } from '../storage-connections/rules/object-keys.ts'
import { openHeaders } from './add-headers.ts'
import { jobQuery, type StoredJob } from './queries.ts'
import { readSigned } from './read-signed.ts'
import { outputKeyFor } from './rules/output.ts'
import { judgeReport } from './rules/states.ts'

type WriteRequest = Extract<StorageAccessRequest, { type: 'write' }>

/**
 * Signs access to an object of a customer for the attempt that runs its job: to read a file that the job names, or
 * to write its result. Throws 401 and 413 like a report, and 422 for an object that the job does not name.
 * Contract: Storage connections, Import; Storage connections, Export.
 */
export async function grantStorageAccess(asked: Deps, request: Request): Promise<StorageAccess> {
  const access = parseRequest((await readSigned(asked, request)).body)
  const place = await findPlace(
    asked,
    access.job_id,
    async ({ db }) => (await jobQuery(db, access.job_id))[0],
  )
  if (place === null) return { outcome: 'over' }
  const { deps, found: job } = place
  if (judgeReport(job, access.fence) !== 'accept') return { outcome: 'over' }
  if (access.type === 'import') return grantImport(deps, job)
  return access.type === 'read' ? grantInput(deps, job, access.address) : grantOutput(deps, job, access)
}

function parseRequest(body: string): StorageAccessRequest {
  try {
    return StorageAccessRequest.parse(JSON.parse(body))
  } catch {
    throw new ApiError('invalid_report')
  }
}

/** Returns the headers for the import of the job's file by URL. */
function grantImport(deps: Deps, job: StoredJob): StorageAccess {
  const { source } = job.dispatch
  if (source.kind !== 'url') throw new ApiError('invalid_report')
  return { outcome: 'granted', url: source.url, headers: openHeaders(deps, job), address: source.url }
}

async function grantInput(deps: Deps, job: StoredJob, text: string): Promise<StorageAccess> {
  const { source, assets } = job.dispatch
  const isInput = [source, ...Object.values(assets)].some(
    (file) => file.kind === 'storage' && file.address === text,
  )
  const address = isInput ? readAddress(text) : null
  if (address === null || job.accountId === null) throw new ApiError('invalid_report')
  return view(address, await grantRead(deps, job.accountId, address))
}

async function grantOutput(deps: Deps, job: StoredJob, file: WriteRequest): Promise<StorageAccess> {
  const { output, accountId, id: job_id, operationKey: operation_key } = job
  if (output === null || accountId === null) throw new ApiError('invalid_report')
  const values = { job_id, operation_key, filename: file.filename }
  const address = { name: output.storage, key: outputKeyFor(output.key, values, file.file_count) }
  return view(address, await grantWrite(deps, accountId, address, file))
}

/** Sentences for fleets that predate `fault`. They append what to do. */
const REASONS: Record<AccessFault, string> = {
  unknown_connection: 'The storage connection does not exist.',
  invalid_key: 'The key with the folder of the connection is longer than 1024 bytes or not valid.',
}

function view(address: ObjectAddress, access: SignedAccess | AccessFault): StorageAccess {
  const shown = addressOfObject(address)
  if (typeof access === 'string') {
    return { outcome: 'refused', fault: access, address: shown, reason: REASONS[access] }
  }
  return { outcome: 'granted', ...access, address: shown }
}
