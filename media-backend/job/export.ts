import { setTimeout as pause } from 'node:timers/promises'
import type { TransferFault } from '../../shared/failures/transfers.ts'
import type { ResultFile } from '../../shared/protocol/job-report.ts'
import { readS3ErrorCode } from '../../shared/s3-error-code.ts'
import { guardOf, isRefusedAddress } from '../runtime/address-guard.ts'
import type { CustomerStorage, SignedWrite } from '../runtime/customer-storage.ts'
import { TooSlow } from '../runtime/download-limits.ts'
import { failWith } from '../runtime/failure.ts'
import { errorText, log } from '../runtime/log.ts'
import type { ReportProgress } from '../runtime/progress.ts'
import type { Run } from '../runtime/run.ts'
import { type PutAnswer, putFile } from '../storage/put-file.ts'

/** Pauses after temporary failures of the customer's storage. */
const PAUSES_MS = [1000, 4000, 15_000]

/** Result file that is in our storage and still in the job's folder. */
export interface LocalResult {
  path: string
  stored: ResultFile
}

/**
 * Writes the files of a result to the storage of the customer and returns them with their addresses there. All files
 * and attempts share one time limit, so that no storage can hold a worker for long.
 * @throws JobFailure export_failed; the customer's storage may then contain some of the files.
 */
export async function exportResult(
  results: readonly LocalResult[],
  run: Run,
  reportProgress: ReportProgress,
): Promise<ResultFile[]> {
  const total_bytes = results.reduce((sum, { stored }) => sum + stored.size_bytes, 0)
  const limit = AbortSignal.timeout(run.environment.EXPORT_SECONDS_MAX * 1000)
  const files: ResultFile[] = []
  let sent_bytes = 0
  for (const result of results) {
    const exported_to = await exportFile(result, results.length, { run, limit }, (bytes) =>
      reportProgress((sent_bytes + bytes) / total_bytes),
    )
    sent_bytes += result.stored.size_bytes
    files.push({ ...result.stored, exported_to })
  }
  return files
}

/** The job, and the time limit of its whole export. */
interface Exporting {
  run: Run
  limit: AbortSignal
}

/** Writes one file. Retries after temporary failures, each time with a new signature. */
async function exportFile(
  { path, stored }: LocalResult,
  file_count: number,
  { run, limit }: Exporting,
  reportBytes: (bytes: number) => void,
): Promise<string> {
  const { filename, content_type, size_bytes } = stored
  const storage = requireStorage(run)
  for (let failures = 0; ; failures += 1) {
    const signed = await storage.write({ filename, content_type, size_bytes, file_count })
    const failure = await tryPut(signed, { path, size_bytes }, { run, limit }, reportBytes)
    if (failure === null) return signed.address
    const pause_ms = failure.may_pass ? PAUSES_MS[failures] : undefined
    if (pause_ms === undefined) throw failWith('export_failed', { ...failure.why, address: signed.address })
    await pause(pause_ms, undefined, { signal: run.signal })
  }
}

function requireStorage({ customer_storage }: Run): CustomerStorage {
  if (customer_storage === undefined) throw new Error('the storage of the customer is not open')
  return customer_storage
}

interface PutFailure {
  why: TransferFault
  /** True if another attempt may succeed. */
  may_pass: boolean
}

/** Sends the file once. Returns null if the storage accepted it. */
async function tryPut(
  { url, headers }: SignedWrite,
  { path, size_bytes }: { path: string; size_bytes: number },
  { run, limit }: Exporting,
  reportBytes: (bytes: number) => void,
): Promise<PutFailure | null> {
  const { ALLOW_PRIVATE_SOURCES, EXPORT_BYTES_PER_SECOND_MIN: bytes_per_second_min } = run.environment
  const guard = guardOf(ALLOW_PRIVATE_SOURCES)
  if (!guard.allowsUrl(new URL(url))) return { why: NOT_PUBLIC, may_pass: false }
  const signal = AbortSignal.any([run.signal, limit])
  try {
    const options = { guard, signal, bytes_per_second_min, reportBytes }
    return judgeAnswer(await putFile({ url, headers, path, size_bytes }, options))
  } catch (error) {
    run.signal.throwIfAborted()
    log('export_failed', { error: errorText(error) })
    if (limit.aborted) return { why: { fault: 'upload_too_long' }, may_pass: false }
    if (error instanceof TooSlow) return { why: { fault: 'receives_too_slowly' }, may_pass: true }
    if (isRefusedAddress(error)) return { why: NOT_PUBLIC, may_pass: false }
    return { why: { fault: 'no_response' }, may_pass: true }
  }
}

const NOT_PUBLIC: TransferFault = { fault: 'not_public' }
const TEMPORARY = [408, 429]

function judgeAnswer({ status, text }: PutAnswer): PutFailure | null {
  if (status >= 200 && status < 300) return null
  if (status >= 300 && status < 400) return { why: { fault: 'redirected' }, may_pass: false }
  const code = readS3ErrorCode(text)
  const why: TransferFault = { fault: 'status', status, ...(code !== null && { code }) }
  return { why, may_pass: status >= 500 || TEMPORARY.includes(status) }
}
