import { open } from 'node:fs/promises'
import { failWith } from '../runtime/failure.ts'
import { findEncoding } from './text-encoding.ts'

/** Ten times the subtitles of a long movie. */
const BYTES_MAX = 2 * 1024 * 1024

/**
 * Reads a text file as UTF-16 (indicated by its byte order mark), UTF-8, or a detected encoding.
 * @param language language of the text: an ISO 639-1 code or 'auto'.
 * @throws JobFailure if the file is too large or is not text.
 */
export async function readTextFile(path: string, language = 'auto'): Promise<string> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    if (size > BYTES_MAX) throw failWith('text_too_large')
    const text = decodeText(await file.readFile(), language)
    if (text.includes('\0')) throw failWith('not_text')
    return text
  } finally {
    await file.close()
  }
}

function decodeText(bytes: Buffer, language: string): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder(findEncoding(bytes, language)).decode(bytes)
  }
}
