import { createReadStream } from 'node:fs'
import { type IncomingMessage, request as plainRequest } from 'node:http'
import { request as secureRequest } from 'node:https'
import { pipeline } from 'node:stream/promises'
import type { AddressGuard } from '../runtime/address-guard.ts'
import type { ReportBytes } from '../runtime/arrival.ts'
import { requirePace } from '../runtime/download-limits.ts'

/** Maximum time without a transferred byte before a request fails. */
const SILENCE_MS_MAX = 60_000
/** Time limit from the last byte of the file, or the first of the response, to the end of the response. */
const ANSWER_MS_MAX = 60_000
/** Maximum wait for a response to `Expect: 100-continue`. The file is then sent anyway. */
const CONTINUE_MS_MAX = 1000
const BODY_LENGTH_MAX = 4096

export interface PutRequest {
  url: string
  headers: Record<string, string>
  path: string
  size_bytes: number
}

interface PutOptions {
  guard: AddressGuard
  signal: AbortSignal
  bytes_per_second_min: number
  reportBytes: ReportBytes
}

/** How a server responded to a PUT. */
export interface PutAnswer {
  status: number
  /** The start of the body. */
  text: string
}

/**
 * PUTs a file to a URL of a customer, without following redirects. The guard allows only public addresses. The server
 * can refuse before the file is sent, so that the reason for a refusal is known.
 * @throws TooSlow if the server receives more slowly than the minimum rate.
 */
export async function putFile(
  { url, headers, path, size_bytes }: PutRequest,
  { guard, signal, bytes_per_second_min, reportBytes }: PutOptions,
): Promise<PutAnswer> {
  const target = new URL(url)
  const begin = target.protocol === 'https:' ? secureRequest : plainRequest
  let answering: NodeJS.Timeout | undefined
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const outgoing = begin(target, {
        method: 'PUT',
        headers: { ...headers, 'content-length': size_bytes, expect: '100-continue' },
        lookup: guard.lookup,
        signal,
        agent: false,
      })
      const stop = () => outgoing.destroy(new Error('the server stopped responding'))
      const limitAnswer = () => {
        answering ??= setTimeout(stop, ANSWER_MS_MAX)
      }
      let isSent = false
      const send = () => {
        if (isSent || outgoing.destroyed) return
        isSent = true
        const content = readFile(path, size_bytes, reportBytes)
        pipeline(content, requirePace(bytes_per_second_min), outgoing).then(limitAnswer, reject)
      }
      const waiting = setTimeout(send, CONTINUE_MS_MAX)
      outgoing.setTimeout(SILENCE_MS_MAX, stop)
      outgoing.on('continue', send)
      outgoing.on('response', (answer) => {
        clearTimeout(waiting)
        limitAnswer()
        resolve(answer)
      })
      outgoing.on('error', reject)
      outgoing.on('close', () => clearTimeout(waiting))
      outgoing.flushHeaders()
    })
    return { status: response.statusCode ?? 0, text: await readStart(response) }
  } finally {
    clearTimeout(answering)
  }
}

async function* readFile(path: string, size_bytes: number, reportBytes: ReportBytes) {
  let sent_bytes = 0
  for await (const chunk of createReadStream(path)) {
    sent_bytes += chunk.length
    yield chunk
    reportBytes(sent_bytes, size_bytes)
  }
}

async function readStart(response: IncomingMessage): Promise<string> {
  let text = ''
  response.setEncoding('utf8')
  for await (const chunk of response) {
    text += chunk
    if (text.length > BODY_LENGTH_MAX) break
  }
  response.destroy()
  return text.slice(0, BODY_LENGTH_MAX)
}
