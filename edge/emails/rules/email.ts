import type { Locale } from '../../../shared/text/texts.ts'
import type { EmailContent, Footer } from './content.ts'
import { renderHtml } from './email-html.ts'
import { renderText } from './email-text.ts'

/** Who sends the emails of this service. */
export interface Sender {
  /** Host name of the service as shown in the address bar. */
  site: string
  /** An address, or the URL of a page; empty if administrators named none. */
  support: string
}

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

const SUPPORT: Record<Locale, string> = {
  en: 'Questions? Contact support:',
  uk: 'Маєте запитання? Зверніться до підтримки:',
  ru: 'Есть вопросы? Обратитесь в поддержку:',
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

/** Renders an email as text and HTML. */
export function renderEmail(content: EmailContent, locale: Locale, { site, support }: Sender): RenderedEmail {
  const { unsubscribe_url } = content
  const footer: Footer = {
    sender: SENDERS[locale](site),
    ...(support && { support: { introduction: SUPPORT[locale], label: support, url: urlOf(support) } }),
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

function urlOf(support: string): string {
  return support.includes('://') ? support : `mailto:${support}`
}
