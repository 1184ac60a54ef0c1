import type { IncomingHttpHeaders } from 'node:http'

/** What a response says about the file that it sends. */
export interface FileVersion {
  /** Value for `If-Range`; null if the host has no validator that identifies this version of the file. */
  validator: string | null
  etag: string | undefined
  total_bytes: number | null
  /** `Content-Encoding` of the bytes. */
  coding: string
}

/** Reads what a response with the whole file says about it. */
export function readVersion(headers: IncomingHttpHeaders): FileVersion {
  const { etag } = headers
  return {
    validator: strongValidator(headers),
    etag,
    total_bytes: readCount(headers['content-length']),
    coding: codingOf(headers),
  }
}

/**
 * Returns the headers that request the rest of a file, or none if it has to be sent from the start: without a validator,
 * the rest could belong to another version. RFC 9110, 13.1.5.
 */
export function rangeHeaders(version: FileVersion | null, received_bytes: number): Record<string, string> {
  const validator = version?.validator ?? null
  if (validator === null || received_bytes === 0) return {}
  return { range: `bytes=${received_bytes}-`, 'if-range': validator }
}

/** What to do with a response to a request for the rest of a file. */
export type PartVerdict = 'continue' | 'complete' | 'restart'

/** Judges a response with status 206 or 416. A file that has changed is sent again from the start. */
export function judgePart(
  status: number | undefined,
  headers: IncomingHttpHeaders,
  version: FileVersion,
  received_bytes: number,
): PartVerdict {
  const [, start, total] = /^bytes (?:(\d+)-\d+|\*)\/(\d+|\*)$/.exec(headers['content-range'] ?? '') ?? []
  if (status === 416) return start === undefined && Number(total) === received_bytes ? 'complete' : 'restart'
  const isSame =
    Number(start) === received_bytes &&
    isEqualIfKnown(headers.etag, version.etag) &&
    isEqualIfKnown(readCount(total), version.total_bytes) &&
    codingOf(headers) === version.coding
  return isSame ? 'continue' : 'restart'
}

function isEqualIfKnown<T>(one: T | null | undefined, other: T | null | undefined): boolean {
  return one === other || one === null || one === undefined || other === null || other === undefined
}

/** A date is only a strong validator if the file cannot have changed again within its second. RFC 9110, 8.8.2.2. */
function strongValidator({ etag, date, ...headers }: IncomingHttpHeaders): string | null {
  if (etag !== undefined) return etag.startsWith('"') ? etag : null
  const modified = headers['last-modified']
  if (modified === undefined || date === undefined) return null
  return Date.parse(date) - Date.parse(modified) >= 1000 ? modified : null
}

function codingOf(headers: IncomingHttpHeaders): string {
  return (headers['content-encoding'] ?? '').trim().toLowerCase()
}

function readCount(text: string | undefined): number | null {
  const count = Number(text ?? Number.NaN)
  return Number.isSafeInteger(count) ? count : null
}
