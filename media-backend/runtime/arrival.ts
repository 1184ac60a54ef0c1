import type { IncomingMessage } from 'node:http'

/** How far a file is on its way; null where its sender doesn't tell how large it is. */
export type ReportBytes = (done_bytes: number, total_bytes: number | null) => void

/** Tells of each piece of a body that somebody reads by a pipeline begun in the same turn. */
export function watchArrival(response: IncomingMessage, reportBytes: ReportBytes): void {
  const declared_bytes = Number(response.headers['content-length'] ?? Number.NaN)
  const total_bytes = Number.isSafeInteger(declared_bytes) ? declared_bytes : null
  let done_bytes = 0
  response.on('data', (piece: Buffer) => {
    done_bytes += piece.length
    reportBytes(done_bytes, total_bytes)
  })
}
