import type { Locale } from '../../../shared/text/texts.ts'
import type { EmailContent } from '../../emails/rules/content.ts'

const GREETINGS: Record<Locale, string> = { en: 'Hello,', uk: 'Вітаємо!', ru: 'Здравствуйте!' }

/** Writes a product news email in the administrator's wording. An empty line starts a new paragraph. */
export function writeProductNews(
  { subject, text }: { subject: string; text: string },
  locale: Locale,
  unsubscribe_url: string,
): EmailContent {
  const blocks = text.split(/\n\s*\n/).map((paragraph) => paragraph.trim())
  return { subject, greeting: GREETINGS[locale], blocks, unsubscribe_url }
}
