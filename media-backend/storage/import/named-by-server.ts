import { decodeExtended, parse } from 'content-disposition'
import { fileNameIn } from '../../../shared/file-names.ts'

const HEADER_LENGTH_MAX = 4096
const NAME_LENGTH_MAX = 255

/**
 * Returns the name that a `Content-Disposition` gives a file (RFC 6266); null without one. Servers also send names in
 * UTF-8 and percent-encoded names without declaring it, as browsers accept them.
 */
export function nameByServer(header: string | undefined): string | null {
  if (header === undefined || header.length > HEADER_LENGTH_MAX) return null
  const { parameters } = parse(header)
  const name = parameters.filename ?? decodeExtended(parameters['filename*'] ?? '') ?? ''
  return fileNameIn(readBytes(name)).slice(0, NAME_LENGTH_MAX).toWellFormed() || null
}

/** Node reads headers as Latin-1. Returns the text that the bytes are in UTF-8, if they are valid. */
function readBytes(text: string): string {
  if (/[^\0-\xff]/.test(text)) return text
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(text, 'latin1'))
  } catch {
    return text
  }
}
