import { describe, expect, test } from 'vitest'
import { LOCALES } from '../../../shared/text/texts.ts'
import { renderEmail } from '../../emails/rules/email.ts'
import { writeCodeEmail } from './code-email.ts'

const write = (locale: (typeof LOCALES)[number] = 'en') =>
  renderEmail(writeCodeEmail({ code: '012345', minutes: 15 }, locale, 'media.example.com'), locale, {
    site: 'media.example.com',
    support: '',
  })

describe.each(LOCALES)('in %s', (locale) => {
  test('the email contains the code, its lifetime and its sender, as text and as HTML', () => {
    const { subject, text, html } = write(locale)
    expect(subject).toContain('012345')
    for (const body of [text, html]) {
      for (const word of ['012345', '15', 'media.example.com']) expect(body).toContain(word)
    }
    expect(html).toContain(`lang="${locale}"`)
  })
})

test('each language has its own wording', () => {
  expect(new Set(LOCALES.map((locale) => write(locale).subject)).size).toBe(3)
  expect(write('uk').text).toMatch(/[іїє]/)
  expect(write('ru').text).not.toMatch(/[іїє]/)
})
