import type { FileHandle } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import type { ReportBytes } from '../../runtime/arrival.ts'
import { requirePace, tooLarge } from '../../runtime/download-limits.ts'
import { findCodingFault } from './decode-body.ts'
import { type FileRequest, requestFile } from './request-file.ts'
import { type FileVersion, judgePart, rangeHeaders, readVersion } from './resume.ts'
import { readRetryAfter } from './retry-pause.ts'
import { CutConnection, TemporaryStatus } from './temporary-errors.ts'

const TEMPORARY_STATUSES = [408, 425, 429]

/** A file of which some bytes may have been received by earlier tries. */
export interface Reception {
  file: FileHandle
  received_bytes: number
  /** null until a server has begun to send the file. */
  version: FileVersion | null
  /** `Content-Disposition` of the file. */
  disposition: string | undefined
  /** Time of the last byte, on the clock of performance.now(). */
  heard_ms: number
}

export interface Receiving extends FileRequest {
  bytes_max: number
  bytes_per_second_min: number
  reportBytes: ReportBytes
}

/**
 * Receives a file, or the rest of it where the server can resume. Returns once all bytes are in the file.
 * @throws TemporaryStatus and errors of connections, after which another try may succeed; JobFailure otherwise.
 */
export async function receiveFile(start: URL, reception: Reception, receiving: Receiving): Promise<void> {
  const { version, received_bytes } = reception
  const range = rangeHeaders(version, received_bytes)
  const headers = { ...receiving.headers, ...range }
  const response = await requestFile(start, { ...receiving, headers })
  const status = response.statusCode ?? 0
  if (status === 200) return receiveWhole(response, reception, receiving)
  const isPart = (status === 206 || status === 416) && version !== null && 'range' in range
  if (isPart) return receivePart(response, version, reception, receiving)
  response.destroy()
  if (status >= 500 || TEMPORARY_STATUSES.includes(status)) {
    throw new TemporaryStatus(status, readRetryAfter(response.headers['retry-after'], Date.now()))
  }
  throw receiving.failure({ fault: 'status', status })
}

async function receiveWhole(
  response: IncomingMessage,
  reception: Reception,
  receiving: Receiving,
): Promise<void> {
  const version = readVersion(response.headers)
  const coding_fault = findCodingFault(version.coding)
  if (coding_fault !== null) {
    response.destroy()
    throw receiving.failure(coding_fault)
  }
  reception.received_bytes = 0
  reception.version = version
  reception.disposition = response.headers['content-disposition']
  return receiveBody(response, reception, receiving)
}

async function receivePart(
  response: IncomingMessage,
  version: FileVersion,
  reception: Reception,
  receiving: Receiving,
): Promise<void> {
  const { statusCode, headers } = response
  const verdict = judgePart(statusCode, headers, version, reception.received_bytes)
  if (verdict === 'continue') return receiveBody(response, reception, receiving)
  response.destroy()
  if (verdict === 'complete') return
  reception.received_bytes = 0
  reception.version = null
  throw new CutConnection('the file has changed')
}

/** Appends a response to the file. Each byte is written before the next one is read, so the file has no gaps. */
async function receiveBody(
  response: IncomingMessage,
  reception: Reception,
  { bytes_max, bytes_per_second_min, reportBytes, signal }: Receiving,
): Promise<void> {
  const total_bytes = reception.version?.total_bytes ?? null
  if ((total_bytes ?? 0) > bytes_max) {
    response.destroy()
    throw tooLarge(bytes_max)
  }
  const { body, requireWhole } = readBody(response, bytes_per_second_min)
  await reception.file.truncate(reception.received_bytes)
  for await (const chunk of body as AsyncIterable<Buffer>) {
    signal.throwIfAborted()
    if (reception.received_bytes + chunk.length > bytes_max) throw tooLarge(bytes_max)
    await reception.file.write(chunk, 0, chunk.length, reception.received_bytes)
    reception.received_bytes += chunk.length
    reception.heard_ms = performance.now()
    reportBytes(reception.received_bytes, total_bytes)
  }
  requireWhole()
  if (total_bytes !== null && reception.received_bytes < total_bytes) {
    throw new CutConnection('the server sent a part of the file')
  }
}

/** Reads a response so that nothing is lost that arrives before its connection is cut. */
function readBody(response: IncomingMessage, bytes_per_second_min: number) {
  const body = requirePace(bytes_per_second_min)
  let cut: Error | undefined
  response.on('error', (error) => {
    cut = error
    body.end()
  })
  body.on('close', () => response.destroy())
  response.pipe(body)
  return {
    body,
    requireWhole() {
      if (cut !== undefined) throw cut
    },
  }
}
