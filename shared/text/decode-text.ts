import { type Decode, findEncoding } from './find-encoding.ts'

export interface DecodedText {
  text: string
  /** Name of the encoding, as TextDecoder returns it. */
  encoding: string
}

/**
 * Decodes text as Unicode, or in the encoding that it probably has.
 * @param language language of the text: an ISO 639-1 code or 'auto'.
 */
export function decodeText(bytes: Uint8Array, language: string, decode: Decode): DecodedText {
  const encoding = unicodeEncoding(bytes, decode) ?? findEncoding(bytes, language, decode)
  return { text: decode(bytes, encoding), encoding }
}

function unicodeEncoding(bytes: Uint8Array, decode: Decode): string | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  return isUtf8(decode(bytes, 'utf-8')) ? 'utf-8' : null
}

/** How many bytes that only UTF-8 has in this order outweigh one that it cannot have. */
const PROOFS_PER_FAULT = 2

/** Checks for UTF-8. A few invalid bytes do not make it another encoding, whose text would be unreadable. */
function isUtf8(text: string): boolean {
  let [proofs, faults] = [0, 0]
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0
    if (code === 0xfffd) faults += 1
    // The bytes after the first.
    else if (code > 0x7f) proofs += code > 0xffff ? 3 : code > 0x7ff ? 2 : 1
  }
  return faults === 0 || proofs >= PROOFS_PER_FAULT * faults
}
