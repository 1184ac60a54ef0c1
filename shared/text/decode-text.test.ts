import { expect, test } from 'vitest'
import { decodeText as decodeWith } from './decode-text.ts'

const decodeText = (bytes: Uint8Array, language: string) =>
  decodeWith(bytes, language, (part, encoding) => new TextDecoder(encoding).decode(part))

type Case = [language: string, encoding: string, text: string, base64: string]

const bytesOf = (base64: string) => Uint8Array.from(atob(base64), (byte) => byte.charCodeAt(0))
const cue = (bytes: Uint8Array) =>
  Uint8Array.from([...new TextEncoder().encode('1\r\n00:00:00,000 --> 00:00:02,000\r\n'), ...bytes])

/** Single subtitles, which are too short for character statistics. */
const SHORT: Case[] = [
  ['ar', 'windows-1256', 'مرحبا', '49HNyMc='],
  ['ar', 'windows-1256', 'مرحبا، كيف حالك؟', '49HNyMehIN/t3SDNx+Hfvw=='],
  ['ar', 'windows-1256', 'نعم', '5Nrj'],
  ['ar', 'windows-1256', 'هيا بنا!', '5e3HIMjkxyE='],
  ['he', 'windows-1255', 'שלום', '+ezl7Q=='],
  ['he', 'windows-1255', 'לא', '7OA='],
  ['ru', 'windows-1251', 'Да', 'xOA='],
  ['ru', 'windows-1251', 'Добрый день', 'xO7h8PvpIOTl7fw='],
  ['ru', 'koi8-r', 'Да', '5ME='],
  ['ru', 'koi8-r', 'Нет, спасибо', '7sXULCDT0MHTycLP'],
  ['el', 'windows-1253', 'Γεια σου', 'w+Xp4SDz7/U='],
  ['fr', 'windows-1252', 'Où êtes-vous ?', 'T/kg6nRlcy12b3VzID8='],
  ['fr', 'windows-1252', 'Ça va?', 'x2EgdmE/'],
  ['ko', 'euc-kr', '네', 's9c='],
  ['th', 'windows-874', 'ขอบคุณครับ', 'os26pNizpMPRug=='],
]

test.each(SHORT)('reads a single subtitle in %s in %s: %s', (language, encoding, text, base64) => {
  for (const known of [language, 'auto']) {
    const decoded = decodeText(cue(bytesOf(base64)), known)
    expect(decoded.text).toContain(text)
    expect(decoded.encoding).toBe(encoding)
  }
})

/** Single subtitles that are plausible in several encodings. */
const AMBIGUOUS: Case[] = [
  ['ja', 'euc-jp', 'はい', 'pM+kpA=='],
  ['ja', 'shift_jis', '東京', 'k4yLng=='],
  ['zh', 'gb18030', '你好吗？', 'xOO6w8Lwo78='],
  ['zh', 'big5', '你好嗎？', 'p0GmbrbcoUg='],
  ['lt', 'windows-1257', 'Labas rytas, ačiū', 'TGFiYXMgcnl0YXMsIGHoafs='],
  ['tr', 'windows-1254', 'Teşekkürler', 'VGX+ZWtr/HJsZXI='],
  ['pl', 'windows-1250', 'Tak, proszę', 'VGFrLCBwcm9zeuo='],
]

test.each(AMBIGUOUS)(
  'reads a single subtitle whose language is known: %s in %s: %s',
  (language, encoding, text, base64) => {
    expect(decodeText(cue(bytesOf(base64)), language)).toMatchObject({
      text: expect.stringContaining(text),
      encoding,
    })
  },
)

const utf8 = (text: string) => [...new TextEncoder().encode(text)]

test.each([
  ['a truncated character', [...utf8('Привет '), 0xd0, ...utf8(' мир')], 'Привет � мир'],
  ['a byte of another encoding', [...utf8('It’s a caf'), 0xe9, ...utf8(' here')], 'It’s a caf� here'],
])('text in UTF-8 remains that with %s', (_, bytes, text) => {
  expect(decodeText(Uint8Array.from(bytes), 'auto')).toEqual({ text, encoding: 'utf-8' })
})

test('names UTF-16 of both byte orders', () => {
  expect(decodeText(Uint8Array.from([0xff, 0xfe, 0x41, 0]), 'auto')).toEqual({
    text: 'A',
    encoding: 'utf-16le',
  })
  expect(decodeText(Uint8Array.from([0xfe, 0xff, 0, 0x41]), 'auto')).toEqual({
    text: 'A',
    encoding: 'utf-16be',
  })
})

test('two megabytes of noise are decoded quickly', () => {
  const noise = Uint8Array.from({ length: 2_000_000 }, (_, index) => (index * 2_654_435_761) >>> 13)
  const started = performance.now()
  decodeText(noise, 'auto')
  expect(performance.now() - started).toBeLessThan(10_000)
})
