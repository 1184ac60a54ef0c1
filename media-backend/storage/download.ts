import { createWriteStream } from 'node:fs'
import { type IncomingMessage, request as plainRequest } from 'node:http'
import { request as secureRequest } from 'node:https'
import { pipeline } from 'node:stream/promises'
import type { TransferFault } from '../../shared/failures/transfers.ts'
import type { Source } from '../../shared/protocol/dispatch.ts'
import { type AddressGuard, guardOf, isRefusedAddress } from '../runtime/address-guard.ts'
import { type ReportBytes, watchArrival } from '../runtime/arrival.ts'
import { limitBytes, requirePace, TooSlow, tooLarge } from '../runtime/download-limits.ts'
import { failWith, JobFailure } from '../runtime/failure.ts'
import { fileIn } from '../runtime/folder.ts'
import { errorText, log } from '../runtime/log.ts'
import type { Run } from '../runtime/run.ts'
import type { Storage } from './storage.ts'

const REDIRECTS_MAX = 5
/** Time limit from the request to the end of the response headers, however slowly they arrive. */
const ANSWER_MS_MAX = 30_000

/**
 * Downloads a file into the job's folder under the given name.
 * @throws JobFailure download_failed or input_too_large; Error if the storage is unreachable.
 */
export async function downloadFile(
  source: Source,
  name: string,
  run: Run,
  storage: Storage,
  reportBytes: ReportBytes = () => {},
): Promise<void> {
  const path = fileIn(run.folder, name)
  if (source.kind === 'object') await storage.download(source, path, run, reportBytes)
  else if (source.kind === 'storage') await importObject(source.address, path, run, reportBytes)
  else await importUrl(source.url, path, run, { reportBytes })
}

/** Downloads an object from the storage of the customer. */
async function importObject(
  address: string,
  path: string,
  run: Run,
  reportBytes: ReportBytes,
): Promise<void> {
  if (run.customer_storage === undefined) throw new Error('the storage of the customer is not open')
  const url = await run.customer_storage.read(address)
  const failure = (fault: TransferFault) => failWith('storage_import_failed', { ...fault, address })
  await importUrl(url, path, run, { reportBytes, failure, redirects_max: 0 })
}

interface ImportOptions {
  guard?: AddressGuard
  reportBytes?: ReportBytes
  redirects_max?: number
  /** Returns the error that fails the job. */
  failure?: (fault: TransferFault) => JobFailure
}

/**
 * Downloads from a user's URL; all such URLs must go through this function. Allows only public http(s) addresses,
 * even after redirects, and limits the size, the time and the minimum speed. Stores the bytes as received, without
 * decompression.
 */
export async function importUrl(
  url: string,
  path: string,
  run: Run,
  {
    guard = guardOf(run.environment.ALLOW_PRIVATE_SOURCES),
    reportBytes = () => {},
    redirects_max = REDIRECTS_MAX,
    failure = importFailure,
  }: ImportOptions = {},
): Promise<void> {
  const { IMPORT_SECONDS_MAX, IMPORT_BYTES_PER_SECOND_MIN, INPUT_BYTES_MAX } = run.environment
  const limit = AbortSignal.timeout(IMPORT_SECONDS_MAX * 1000)
  const signal = AbortSignal.any([run.signal, limit])
  try {
    const response = await follow(new URL(url), { signal, guard, failure, redirects_max })
    if (Number(response.headers['content-length'] ?? 0) > INPUT_BYTES_MAX) {
      response.destroy()
      throw tooLarge(INPUT_BYTES_MAX)
    }
    watchArrival(response, reportBytes)
    const file = createWriteStream(path, { mode: 0o600 })
    const pace = requirePace(IMPORT_BYTES_PER_SECOND_MIN)
    await pipeline(response, limitBytes(INPUT_BYTES_MAX), pace, file, { signal })
  } catch (error) {
    run.signal.throwIfAborted()
    if (error instanceof JobFailure) throw error
    if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') throw error
    log('import_failed', { error: errorText(error) })
    throw failure({ fault: faultOf(error, limit.aborted) })
  }
}

function faultOf(error: unknown, is_over_time: boolean): TransferFault['fault'] {
  if (isRefusedAddress(error)) return 'not_public'
  if (error instanceof TooSlow) return 'sends_too_slowly'
  return is_over_time ? 'download_too_long' : 'no_response'
}

interface Getting {
  signal: AbortSignal
  guard: AddressGuard
  failure: (fault: TransferFault) => JobFailure
}

interface Following extends Getting {
  redirects_max: number
}

async function follow(
  start: URL,
  { signal, guard, failure, redirects_max }: Following,
): Promise<IncomingMessage> {
  let url = start
  for (let redirects = 0; redirects <= redirects_max; redirects += 1) {
    const response = await get(url, { signal, guard, failure })
    const status = response.statusCode ?? 0
    const coding = response.headers['content-encoding'] ?? 'identity'
    if (status === 200 && coding === 'identity') return response
    // The body is not needed.
    response.destroy()
    if (status === 200) throw failure({ fault: 'compressed' })
    const { location } = response.headers
    const next = location === undefined ? null : URL.parse(location, url.href)
    if (status < 300 || status >= 400 || next === null) throw failure({ fault: 'status', status })
    url = next
  }
  throw failure({ fault: redirects_max === 0 ? 'redirected' : 'too_many_redirects' })
}

function get(url: URL, { signal, guard, failure }: Getting): Promise<IncomingMessage> {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw failure({ fault: 'not_http' })
  if (!guard.allowsUrl(url)) throw failure({ fault: 'not_public' })
  const begin = url.protocol === 'https:' ? secureRequest : plainRequest
  const headers = { 'accept-encoding': 'identity' }
  return new Promise((resolve, reject) => {
    const outgoing = begin(url, { lookup: guard.lookup, signal, agent: false, headers })
    const response_timer = setTimeout(() => outgoing.destroy(new Error('no response')), ANSWER_MS_MAX)
    outgoing.on('response', resolve)
    outgoing.on('error', reject)
    outgoing.on('response', () => clearTimeout(response_timer))
    outgoing.on('close', () => clearTimeout(response_timer))
    outgoing.end()
  })
}

function importFailure(fault: TransferFault): JobFailure {
  return failWith('import_failed', fault)
}
