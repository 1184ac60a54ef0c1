import type { Locale } from '../../../shared/text/texts.ts'
import { type RenderedEmail, renderEmail } from '../../emails/rules/email.ts'

const WORDS: Record<Locale, { greeting: string; lead: (site: string) => string }> = {
  en: { greeting: 'Hello,', lead: (site) => `News from ${site}:` },
  uk: { greeting: 'Вітаємо!', lead: (site) => `Новини ${site}:` },
  ru: { greeting: 'Здравствуйте!', lead: (site) => `Новости ${site}:` },
}

/** Writes a product news email in the administrator's wording. An empty line starts a new paragraph. */
export function writeProductNews(
  { subject, text }: { subject: string; text: string },
  locale: Locale,
  site: string,
): RenderedEmail {
  const { greeting, lead } = WORDS[locale]
  const paragraphs = text.split(/\n\s*\n/).map((paragraph) => paragraph.trim())
  return renderEmail({ subject, greeting, lead: lead(site), highlight: subject, paragraphs }, locale, site)
}
