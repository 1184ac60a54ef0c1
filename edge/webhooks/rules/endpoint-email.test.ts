import { expect, test } from 'vitest'
import { LOCALES } from '../../../shared/text/texts.ts'
import { renderEmail } from '../../emails/rules/email.ts'
import { writeEndpointEmail } from './endpoint-email.ts'

const URL = 'https://hooks.example.org/a?b=1&c=<2>'

test.each(LOCALES)('the email in %s names the endpoint and since when it fails', (locale) => {
  const facts = { url: URL, failing_since: Date.UTC(2027, 0, 18) }
  const content = writeEndpointEmail(facts, locale, 'media.example.com')
  const { subject, text, html } = renderEmail(content, locale, { site: 'media.example.com', support: '' })
  expect(text).toContain(URL)
  expect(text).toMatch(/18/)
  expect(html).toContain('https://hooks.example.org/a?b=1&amp;c=&lt;2&gt;')
  expect(subject).not.toContain(URL)
})
