import { createWriteStream } from 'node:fs'
import { type IncomingMessage, request as plainRequest } from 'node:http'
import { request as secureRequest } from 'node:https'
import { isIP } from 'node:net'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Source } from '../../shared/protocol/dispatch.ts'
import { JobFailure } from '../failure.ts'
import { fileIn } from '../folder.ts'
import type { Run } from '../job.ts'
import { errorText, log } from '../log.ts'
import type { Storage } from '../storage.ts'
import { isPublicAddress, lookupPublic } from './address-guard.ts'

const REDIRECTS_MAX = 5
const CONNECT_MS_MAX = 30_000

/**
 * Brings a file into the job's folder: the input as SOURCE, others under a name of their own.
 * @throws JobFailure download_failed or input_too_large; Error when our storage can't be reached.
 */
export async function downloadFile(source: Source, name: string, run: Run, storage: Storage): Promise<void> {
  const path = fileIn(run.folder, name)
  if (source.kind === 'object') await storage.download(source.key, path, run.signal)
  else await importUrl(source.url, path, run)
}

/** Fetches a public http(s) address; private ones are refused, also behind a redirect. */
export async function importUrl(url: string, path: string, run: Run): Promise<void> {
  const limit = AbortSignal.timeout(run.environment.IMPORT_SECONDS_MAX * 1000)
  const signal = AbortSignal.any([run.signal, limit])
  try {
    const response = await follow(new URL(url), signal, run)
    const file = createWriteStream(path, { mode: 0o600 })
    await pipeline(response, limitBytes(run.environment.INPUT_BYTES_MAX), file, { signal })
  } catch (error) {
    run.signal.throwIfAborted()
    if (error instanceof JobFailure) throw error
    if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') throw error
    log('import_failed', { error: errorText(error) })
    throw importFailure(limit.aborted ? 'it took too long' : 'it did not answer')
  }
}

async function follow(start: URL, signal: AbortSignal, run: Run): Promise<IncomingMessage> {
  let url = start
  for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects += 1) {
    const response = await get(url, signal, run.environment.ALLOW_PRIVATE_SOURCES)
    const status = response.statusCode ?? 0
    if (status === 200) return response
    response.resume()
    const next = URL.parse(response.headers.location ?? '', url.href)
    if (status < 300 || status >= 400 || next === null) {
      throw importFailure(`it answered with status ${status}`)
    }
    url = next
  }
  throw importFailure('it redirects too often')
}

function get(url: URL, signal: AbortSignal, allow_private: boolean): Promise<IncomingMessage> {
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw importFailure('only http and https are taken')
  const host = url.hostname.replace(/^\[|\]$/g, '')
  // Node asks `lookup` only for names: an address written as such is checked here.
  if (!allow_private && isIP(host) !== 0 && !isPublicAddress(host))
    throw importFailure('it is not a public address')
  const begin = url.protocol === 'https:' ? secureRequest : plainRequest
  const lookup = allow_private ? undefined : lookupPublic
  return new Promise((resolve, reject) => {
    const outgoing = begin(
      url,
      { lookup, signal, agent: false, headers: { 'accept-encoding': 'identity' } },
      resolve,
    )
    outgoing.setTimeout(CONNECT_MS_MAX, () => outgoing.destroy(new Error('the address is silent')))
    outgoing.on('error', reject)
    outgoing.end()
  })
}

function limitBytes(bytes_max: number): Transform {
  let bytes = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, callback) {
      bytes += chunk.length
      if (bytes <= bytes_max) return callback(null, chunk)
      const limit_gb = (bytes_max / 1024 ** 3).toFixed(1)
      return callback(new JobFailure('input_too_large', `The file is larger than ${limit_gb} GB.`))
    },
  })
}

function importFailure(why: string): JobFailure {
  return new JobFailure('download_failed', `The file could not be fetched from its address: ${why}.`)
}
