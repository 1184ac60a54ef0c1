import { describe, expect, test } from 'vitest'
import { LOCALES } from '../../../shared/text/texts.ts'
import { renderQueued } from '../render-queued.ts'
import { ALL_EMAIL_SAMPLES } from '../testing/samples.ts'

const SENDER = { url: 'https://media.example.com', support: 'help@example.com' }

/** Returns the text of an HTML part, without its style sheet. */
const textOf = (html: string) =>
  html
    .replace(/<style>[\s\S]*<\/style>/, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(amp|lt|gt|quot|#39);/g, ' ')

describe.each(ALL_EMAIL_SAMPLES)('the email %s', (_name, content) => {
  const emails = LOCALES.map((locale) => ({ locale, ...renderQueued(content, locale, SENDER) }))

  // The API keeps the name "credits". Contract: Credits.
  test('calls credits bonuses', () => {
    for (const { subject, text, html } of emails)
      expect(`${subject} ${text} ${html}`).not.toMatch(/credit|кредит/i)
  })

  test('has the same words as text and as HTML', () => {
    for (const { text, html } of emails) {
      const shown = textOf(html)
      // URLs of links are attributes in HTML.
      const words = text.replace(/https?:\S+/g, '').match(/[\p{L}\p{N}]{2,}/gu) ?? []
      expect(words.filter((word) => !shown.includes(word))).toEqual([])
    }
  })

  test('ends sentences with one period', () => {
    for (const { text } of emails) expect(text).not.toContain('..')
  })

  test('states its language and has one heading', () => {
    for (const { locale, html } of emails) {
      expect(html).toContain(content.kind === 'feedback' ? 'lang="en"' : `lang="${locale}"`)
      expect(html.match(/<h1/g)).toHaveLength(1)
    }
  })

  test('names the contact of support that is set', () => {
    for (const { text, html } of emails) {
      expect(text).toContain('help@example.com')
      expect(html).toContain('<a class="link" href="mailto:help@example.com"')
    }
    const page = 'https://example.com/help'
    expect(renderQueued(content, 'en', { ...SENDER, support: page }).html).toContain(`href="${page}"`)
    expect(renderQueued(content, 'en', { ...SENDER, support: '' }).text).not.toMatch(/Questions/)
  })

  test('loads nothing and runs nothing', () => {
    for (const { html } of emails)
      expect(html).not.toMatch(/<(img|script|link|iframe|form)|url\(|@import|src=/i)
  })

  test('is in the language of its reader', () => {
    // Administrators write product news themselves, and receive feedback in English.
    if (content.kind === 'news' || content.kind === 'feedback') return
    const [en, uk, ru] = emails.map(({ text }) => text)
    expect(en).not.toMatch(/[а-яіїєґ]/i)
    expect(uk).toMatch(/[іїє]/)
    expect(uk).not.toMatch(/[ыэъё]/)
    expect(ru).not.toMatch(/[іїєґ]/)
  })
})
