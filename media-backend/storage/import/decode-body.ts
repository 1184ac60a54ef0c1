import { createReadStream, createWriteStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import type { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import * as zlib from 'node:zlib'
import type { TransferFault } from '../../../shared/failures/transfers.ts'
import { limitBytes } from '../../runtime/download-limits.ts'
import { JobFailure } from '../../runtime/failure.ts'

/** Codings that a server may apply one after another. */
const CODINGS_MAX = 2
/** Low bits of the first byte of deflate data with a header. Some servers send it without one. */
const ZLIB_METHOD = 8

type Coding = (first_byte: number) => Transform

const CODINGS: Record<string, Coding> = {
  gzip: () => zlib.createGunzip(),
  'x-gzip': () => zlib.createGunzip(),
  deflate: (first_byte) =>
    (first_byte & 0x0f) === ZLIB_METHOD ? zlib.createInflate() : zlib.createInflateRaw(),
  br: () => zlib.createBrotliDecompress(),
  // Node has it from version 22.15 on.
  ...('createZstdDecompress' in zlib && { zstd: () => zlib.createZstdDecompress() }),
}

interface Decoding {
  bytes_max: number
  signal: AbortSignal
  failure: (fault: TransferFault) => JobFailure
}

/** Returns the codings of a `Content-Encoding` in the order in which they were applied. */
function listCodings(coding: string): string[] {
  return coding
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity')
}

/** Returns the fault of a coding that this fleet cannot decode, or null. */
export function findCodingFault(coding: string): TransferFault | null {
  const names = listCodings(coding)
  const unknown = names.find((name) => !Object.hasOwn(CODINGS, name))
  if (unknown !== undefined) {
    return { fault: 'unsupported_coding', code: /^[a-z0-9-]{1,20}$/.test(unknown) ? unknown : '?' }
  }
  return names.length > CODINGS_MAX
    ? { fault: 'unsupported_coding', code: names.slice(0, 5).join(', ') }
    : null
}

/**
 * Decodes a downloaded file in place. The limit of its size also holds for what it expands to.
 * @throws JobFailure file_too_large, or the failure of a file that does not have its declared coding.
 */
export async function decodeBody(
  path: string,
  coding: string,
  { bytes_max, signal, failure }: Decoding,
): Promise<void> {
  const names = listCodings(coding)
  if (names.length === 0) return
  const coded = `${path}.coded`
  await rename(path, coded)
  try {
    const first_byte = await readFirstByte(coded)
    const decoders = names.toReversed().map((name) => requireCoding(name)(first_byte))
    const file = createWriteStream(path, { mode: 0o600 })
    await pipeline([createReadStream(coded), ...decoders, limitBytes(bytes_max), file], { signal })
  } catch (error) {
    if (signal.aborted || error instanceof JobFailure || !isCodingError(error)) throw error
    throw failure({ fault: 'invalid_coding', code: names.join(', ') })
  } finally {
    await rm(coded, { force: true })
  }
}

function requireCoding(name: string): Coding {
  const coding = CODINGS[name]
  if (coding === undefined) throw new Error(`the coding ${name} is not known`)
  return coding
}

/** Errors of zlib have codes such as Z_DATA_ERROR, ERR__ERROR_FORMAT_… (Brotli) and ZSTD_error_…. */
function isCodingError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^(Z_|ERR_|ZSTD_)/.test(String(error.code))
}

async function readFirstByte(path: string): Promise<number> {
  const file = await open(path)
  try {
    const { buffer } = await file.read(Buffer.alloc(1), 0, 1, 0)
    return buffer[0] ?? 0
  } finally {
    await file.close()
  }
}
