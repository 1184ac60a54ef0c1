import type { Locale } from '../../../shared/text/texts.ts'
import type { EmailContent, Footer } from './content.ts'
import { renderHtml } from './email-html.ts'
import { renderText } from './email-text.ts'

/** A rendered email, with the same content as text and as HTML. */
export interface RenderedEmail {
  subject: string
  text: string
  html: string
  /** URL for a one-click POST that unsubscribes from this kind of email (RFC 8058). */
  unsubscribe_url?: string
}

const SENDERS: Record<Locale, (site: string) => string> = {
  en: (site) => `This email was sent by ${site}. You do not need to reply.`,
  uk: (site) => `Цей лист надіслано сервісом ${site}. Відповідати на нього не потрібно.`,
  ru: (site) => `Это письмо отправлено сервисом ${site}. Отвечать на него не нужно.`,
}

const BUTTON_URLS: Record<Locale, string> = {
  en: 'If the button does not work, open this address:',
  uk: 'Якщо кнопка не працює, відкрийте цю адресу:',
  ru: 'Если кнопка не работает, откройте этот адрес:',
}

const UNSUBSCRIBE: Record<Locale, string> = {
  en: 'Unsubscribe from these emails',
  uk: 'Відписатися від цих листів',
  ru: 'Отписаться от этих писем',
}

/**
 * Renders an email as text and HTML.
 * @param site host name of the service as shown in the address bar.
 * @param unsubscribe_url adds a link to unsubscribe.
 */
export function renderEmail(
  content: EmailContent,
  locale: Locale,
  site: string,
  unsubscribe_url?: string,
): RenderedEmail {
  const footer: Footer = {
    sender: SENDERS[locale](site),
    button_url: BUTTON_URLS[locale],
    ...(unsubscribe_url && { unsubscribe: { label: UNSUBSCRIBE[locale], url: unsubscribe_url } }),
  }
  return {
    subject: content.subject,
    text: renderText(content, footer),
    html: renderHtml(content, footer, locale, site),
    ...(unsubscribe_url && { unsubscribe_url }),
  }
}
