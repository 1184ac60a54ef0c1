import { open } from 'node:fs/promises'
import type { TransferFault } from '../../../shared/failures/transfers.ts'
import { type AddressGuard, guardOf, isRefusedAddress } from '../../runtime/address-guard.ts'
import type { ReportBytes } from '../../runtime/arrival.ts'
import { Stalled, TooSlow } from '../../runtime/download-limits.ts'
import { failWith, JobFailure } from '../../runtime/failure.ts'
import { errorText, log } from '../../runtime/log.ts'
import type { Run } from '../../runtime/run.ts'
import { decodeBody } from './decode-body.ts'
import { nameByServer } from './named-by-server.ts'
import { startPatience } from './patience.ts'
import { type Receiving, type Reception, receiveFile } from './receive-file.ts'
import { TemporaryStatus } from './temporary-errors.ts'
import { userAgentOf } from './user-agent.ts'

const REDIRECTS_MAX = 5

interface ImportOptions {
  guard?: AddressGuard
  reportBytes?: ReportBytes
  redirects_max?: number
  /** Headers of the caller, with lowercase names, for the origin of the URL only. */
  headers?: Record<string, string>
  /** Returns the error that fails the job. */
  failure?: (fault: TransferFault) => JobFailure
}

/** A file that was imported. */
export interface ImportedFile {
  /** Name that its server gives it, if any. */
  filename: string | null
}

/**
 * Downloads from a user's URL; all such URLs must go through this function. Allows only public http(s) addresses,
 * even after redirects, and limits the size, the time and the minimum speed. Tries again after temporary failures.
 */
export async function importUrl(
  url: string,
  path: string,
  run: Run,
  {
    guard = guardOf(run.environment.ALLOW_PRIVATE_SOURCES),
    reportBytes = () => {},
    redirects_max = REDIRECTS_MAX,
    headers: own_headers = {},
    failure = (fault) => failWith('import_failed', fault),
  }: ImportOptions = {},
): Promise<ImportedFile> {
  const { INPUT_BYTES_MAX: bytes_max, IMPORT_SECONDS_MAX, IMPORT_BYTES_PER_SECOND_MIN } = run.environment
  const limit = AbortSignal.timeout(IMPORT_SECONDS_MAX * 1000)
  const signal = AbortSignal.any([run.signal, limit])
  const headers = { 'accept-encoding': 'identity', 'user-agent': userAgentOf(run.environment) }
  const receiving = {
    ...{ signal, guard, redirects_max, failure, headers, own_headers, bytes_max, reportBytes },
    bytes_per_second_min: IMPORT_BYTES_PER_SECOND_MIN,
  }
  try {
    const { version, disposition } = await receivePatiently(new URL(url), path, run, receiving)
    await decodeBody(path, version?.coding ?? '', { bytes_max, signal, failure })
    return { filename: nameByServer(disposition) }
  } catch (error) {
    run.signal.throwIfAborted()
    if (error instanceof JobFailure) throw error
    if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') throw error
    log('import_failed', { error: errorText(error) })
    throw failure(faultOf(error, limit.aborted))
  }
}

/** Receives the file with as many tries as it takes. */
async function receivePatiently(url: URL, path: string, run: Run, receiving: Receiving): Promise<Reception> {
  const file = await open(path, 'w+', 0o600)
  const reception: Reception = {
    ...{ file, received_bytes: 0, version: null, disposition: undefined, heard_ms: performance.now() },
  }
  const waitAfter = startPatience(reception, run, receiving.signal)
  try {
    while (!(await receiveFile(url, reception, receiving).then(() => true, waitAfter))) {}
    return reception
  } finally {
    await file.close()
  }
}

function faultOf(error: unknown, is_over_time: boolean): TransferFault {
  if (isRefusedAddress(error)) return { fault: 'not_public' }
  if (is_over_time) return { fault: 'download_too_long' }
  if (error instanceof TemporaryStatus) return { fault: 'status', status: error.status }
  if (error instanceof TooSlow && !(error instanceof Stalled)) return { fault: 'sends_too_slowly' }
  return { fault: 'no_response' }
}
