import { describe, expect, test } from 'vitest'
import { LOCALES } from '../locale.ts'
import { writeCodeLetter } from './code.ts'

const write = (full_name: string | null, locale: (typeof LOCALES)[number] = 'en') =>
  writeCodeLetter({ code: '012345', minutes: 15, full_name }, locale, 'media.example.com')

describe.each(LOCALES)('in %s', (locale) => {
  test('the letter says the code, how long it is good and who sent it, as text and as HTML', () => {
    const { subject, text, html } = write('Ada', locale)
    expect(subject).toContain('012345')
    for (const body of [text, html]) {
      for (const word of ['012345', '15', 'media.example.com', 'Ada']) expect(body).toContain(word)
    }
    expect(html).toContain(`lang="${locale}"`)
  })
})

test('each language has words of its own', () => {
  expect(new Set(LOCALES.map((locale) => write(null, locale).subject)).size).toBe(3)
  expect(write(null, 'uk').text).toMatch(/[іїє]/)
  expect(write(null, 'ru').text).not.toMatch(/[іїє]/)
})

test('a name is text, never markup', () => {
  const { html, text } = write('<b>Ada & "Bo"</b'.replace('/', ''))
  expect(html).toContain('Hello &lt;b&gt;Ada &amp; &quot;Bo&quot;&lt;b,')
  expect(text).toContain('Hello <b>Ada & "Bo"<b,')
})

test.each(['Win at https://evil.example', 'evil.example', 'a@b', 'x'.repeat(61), 'two\nlines'])(
  'a name that could carry a message is left out: %j',
  (name) => {
    expect(write(name)).toEqual(write(null))
  },
)
