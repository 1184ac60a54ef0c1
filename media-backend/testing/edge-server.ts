import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { JobReport } from '../../shared/protocol/job-report.ts'
import { isSigned } from '../../shared/protocol/signature.ts'
import { waitFor } from './wait.ts'

export type Finished = Extract<JobReport, { type: 'job.finished' }>

/** A test edge that only verifies and records reports, and that can misbehave. */
export interface EdgeServer {
  url: string
  /** Every report that had a valid signature, with its webhook-id and its text. */
  received: { id: string; report: JobReport; body: string }[]
  /** Chooses the response. 'cut' closes the connection without responding. */
  answer: (report: JobReport) => { status: number; continue: boolean } | 'cut'
  finished(job_id: string): Finished[]
  waitForFinished(job_id: string, deadline_ms?: number): Promise<Finished>
  close(): Promise<void>
}

export async function startEdgeServer(keys: readonly string[]): Promise<EdgeServer> {
  const edge: EdgeServer = {
    url: '',
    received: [],
    answer: () => ({ status: 200, continue: true }),
    finished: (job_id) =>
      edge.received.flatMap(({ report }) =>
        report.type === 'job.finished' && report.job_id === job_id ? [report] : [],
      ),
    async waitForFinished(job_id, deadline_ms = 30_000) {
      await waitFor(`the end of ${job_id}`, () => edge.finished(job_id).length > 0, deadline_ms)
      const [first] = edge.finished(job_id)
      if (first === undefined) throw new Error('unreachable')
      return first
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const headers = request.headers as Record<string, string>
    const signed = { to: 'edge', method: 'POST', path: '/internal/callbacks' } as const
    if (request.url !== signed.path || !isSigned(keys, signed, headers, body)) {
      return response.writeHead(401).end()
    }
    const report = JobReport.parse(JSON.parse(body))
    edge.received.push({ id: headers['webhook-id'] ?? '', report, body })
    const answer = edge.answer(report)
    if (answer === 'cut') return request.socket.destroy()
    response.writeHead(answer.status, { 'content-type': 'application/json' })
    return response.end(JSON.stringify({ continue: answer.continue }))
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  edge.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return edge
}
