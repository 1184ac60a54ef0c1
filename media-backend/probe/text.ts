import { open } from 'node:fs/promises'
import { type DecodedText, decodeText } from '../../shared/text/decode-text.ts'
import { failWith } from '../runtime/failure.ts'

/** Ten times the subtitles of a long movie. */
const BYTES_MAX = 2 * 1024 * 1024

/**
 * Reads a text file in the encoding that it has, or probably has.
 * @param language language of the text: an ISO 639-1 code or 'auto'.
 * @throws JobFailure if the file is too large or is not text.
 */
export async function readTextFile(path: string, language = 'auto'): Promise<DecodedText> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    if (size > BYTES_MAX) throw failWith('text_too_large')
    const decoded = decodeText(await file.readFile(), language, decode)
    // Damaged subtitles have single null characters, which players replace.
    if (decoded.text.includes('\0') && !decoded.text.includes('-->')) throw failWith('not_text')
    return decoded
  } finally {
    await file.close()
  }
}

function decode(bytes: Uint8Array, encoding: string): string {
  return new TextDecoder(encoding).decode(bytes)
}
