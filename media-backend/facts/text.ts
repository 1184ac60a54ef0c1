import { open } from 'node:fs/promises'
import { JobFailure } from '../failure.ts'

/** Subtitles of a long film take a tenth of this. */
const BYTES_MAX = 2 * 1024 * 1024

/**
 * A text file, in UTF-8 or UTF-16 as its mark says, else in what Western Windows wrote.
 * @throws JobFailure when it is too large or no text.
 */
export async function readTextFile(path: string): Promise<string> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    if (size > BYTES_MAX) throw new JobFailure('input_too_large', 'The file is larger than 2 MB.')
    const text = decodeText(await file.readFile())
    if (text.includes('\0')) throw new JobFailure('wrong_kind', 'This file is no text.')
    return text
  } finally {
    await file.close()
  }
}

function decodeText(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}
