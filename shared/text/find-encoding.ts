import { analyse } from 'chardet'
import { ENCODINGS, encodingsOf, type LegacyEncoding } from './encodings.ts'
import { scoreText } from './score-text.ts'

/** Enough bytes to distinguish encodings. */
const BYTES_MAX = 64 * 1024
/** If texts are about equally plausible, chardet decides, which compares sequences of characters. */
const SCORE_STEP = 0.1
/** chardet distinguishes the encodings of Latin scripts only in longer texts. */
const LATIN_BYTES_MIN = 50

/** Decodes bytes, as TextDecoder does. Each byte that is not in the encoding becomes the replacement character. */
export type Decode = (bytes: Uint8Array, encoding: string) => string

/**
 * Detects the encoding of text that is not Unicode: the one in which its words look most like words. Returns a
 * TextDecoder label.
 * @param language ISO 639-1 code that narrows down the encodings; 'auto' if unknown.
 */
export function findEncoding(bytes: Uint8Array, language: string, decode: Decode): string {
  const sample = foreignLines(bytes.subarray(0, BYTES_MAX))
  const ranked = analyse(sample).map(({ name }) => name.toLowerCase())
  const rankOf = ({ label, is_latin }: LegacyEncoding) => {
    const rank = ranked.findIndex((name) => (ALIASES[name] ?? name) === label)
    return rank === -1 || (is_latin && sample.length < LATIN_BYTES_MIN) ? ranked.length : rank
  }
  const candidates = language === 'auto' ? ENCODINGS : encodingsOf(language)
  const scored = candidates.map((encoding) => ({
    encoding,
    score: scoreText(decode(sample, encoding.label), encoding),
  }))
  const best = Math.max(...scored.map(({ score }) => score))
  const [found] = scored
    .filter(({ score }) => score > best - SCORE_STEP)
    .sort((one, other) => rankOf(one.encoding) - rankOf(other.encoding))
  return found?.encoding.label ?? 'windows-1252'
}

/** Names of encodings that are parts of the ones that files have. */
const ALIASES: Record<string, string> = {
  'iso-8859-1': 'windows-1252',
  'iso-8859-7': 'windows-1253',
  'iso-8859-8': 'windows-1255',
  'iso-8859-9': 'windows-1254',
}

/** Returns the lines with bytes outside of ASCII. The others have times, and words of headers. */
function foreignLines(bytes: Uint8Array): Uint8Array {
  const kept: Uint8Array[] = []
  for (let start = 0; start < bytes.length; ) {
    const line_end = bytes.indexOf(LINE_FEED, start)
    const end = line_end === -1 ? bytes.length : line_end + 1
    const line = bytes.subarray(start, end)
    if (line.some((byte) => byte > 0x7f)) kept.push(line)
    start = end
  }
  return new Uint8Array(kept.flatMap((line) => [...line]))
}

const LINE_FEED = 0x0a
