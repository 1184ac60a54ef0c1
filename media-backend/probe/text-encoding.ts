import { analyse } from 'chardet'

/** Non-Unicode encodings used for these languages, most common first. */
const ENCODINGS: readonly (readonly [languages: string, encodings: readonly string[]])[] = [
  ['uk ru be bg mk sr kk tg mn', ['windows-1251', 'koi8-r', 'iso-8859-5']],
  ['pl cs sk hu sl hr bs ro sq', ['windows-1250', 'iso-8859-2']],
  ['el', ['windows-1253', 'iso-8859-7']],
  ['tr az', ['windows-1254', 'iso-8859-9']],
  ['he yi', ['windows-1255', 'iso-8859-8']],
  ['ar fa ur ps', ['windows-1256', 'iso-8859-6']],
  ['et lv lt', ['windows-1257']],
  ['vi', ['windows-1258']],
  ['th', ['windows-874']],
  ['ja', ['shift_jis', 'euc-jp', 'iso-2022-jp']],
  ['ko', ['euc-kr']],
  ['zh yue', ['gb18030', 'big5']],
]
const WESTERN = ['windows-1252', 'iso-8859-1']
/** Enough bytes to tell encodings apart. */
const BYTES_MAX = 64 * 1024

/**
 * Detects the encoding of text that is not Unicode. Returns a TextDecoder label.
 * @param language ISO 639-1 code that narrows down the encodings; 'auto' if unknown.
 */
export function findEncoding(bytes: Buffer, language: string): string {
  const ranked = analyse(bytes.subarray(0, BYTES_MAX)).map(({ name }) => name.toLowerCase())
  if (language === 'auto') return ranked.find(isDecodable) ?? 'windows-1252'
  const own = ENCODINGS.find(([languages]) => languages.split(' ').includes(language))?.[1] ?? WESTERN
  return ranked.find((name) => own.includes(name)) ?? own[0] ?? 'windows-1252'
}

function isDecodable(name: string): boolean {
  try {
    return new TextDecoder(name).encoding !== ''
  } catch {
    return false
  }
}
