import type { IncomingMessage } from 'node:http'

/** Reports the number of received bytes. total_bytes is null if the sender does not declare the size. */
export type ReportBytes = (done_bytes: number, total_bytes: number | null) => void

/** Reports each chunk of a response body. Must be called in the same tick as the pipeline that reads the body. */
export function watchArrival(response: IncomingMessage, reportBytes: ReportBytes): void {
  const declared_bytes = Number(response.headers['content-length'] ?? Number.NaN)
  const total_bytes = Number.isSafeInteger(declared_bytes) ? declared_bytes : null
  let done_bytes = 0
  response.on('data', (piece: Buffer) => {
    done_bytes += piece.length
    reportBytes(done_bytes, total_bytes)
  })
}
