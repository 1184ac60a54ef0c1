import type { Locale } from '../../../shared/text/texts.ts'
import { type RenderedEmail, renderEmail } from '../../emails/rules/email.ts'

const GREETINGS: Record<Locale, string> = { en: 'Hello,', uk: 'Вітаємо!', ru: 'Здравствуйте!' }

/** Writes a product news email in the administrator's wording. An empty line starts a new paragraph. */
export function writeProductNews(
  { subject, text }: { subject: string; text: string },
  locale: Locale,
  site: string,
  unsubscribe_url: string,
): RenderedEmail {
  const blocks = text.split(/\n\s*\n/).map((paragraph) => paragraph.trim())
  return renderEmail({ subject, greeting: GREETINGS[locale], blocks }, locale, site, unsubscribe_url)
}
