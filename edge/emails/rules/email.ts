import type { Locale } from '../../../shared/text/texts.ts'

/** A rendered email, with the same content as text and as HTML. */
export interface RenderedEmail {
  subject: string
  text: string
  html: string
  /** URL for a one-click POST that unsubscribes from this kind of email (RFC 8058). */
  unsubscribe_url?: string
}

/** A template's content in one language, as plain text. It is escaped in HTML. */
export interface Words {
  subject: string
  greeting: string
  /** Text before the highlight. */
  lead: string
  /** The highlighted text, such as a code or an amount. */
  highlight?: string | undefined
  /** Text after the highlight. */
  paragraphs: readonly string[]
  /** Optional action below the paragraphs. */
  link?: { label: string; url: string } | undefined
}

const FOOTERS: Record<Locale, (site: string) => string> = {
  en: (site) => `This email was sent by ${site}. You do not need to reply.`,
  uk: (site) => `Цей лист надіслано сервісом ${site}. Відповідати на нього не потрібно.`,
  ru: (site) => `Это письмо отправлено сервисом ${site}. Отвечать на него не нужно.`,
}

/**
 * Renders an email as text and HTML.
 * @param site host name of the service as shown in the address bar.
 */
export function renderEmail(words: Words, locale: Locale, site: string): RenderedEmail {
  const { subject, greeting, lead, highlight, paragraphs, link } = words
  const footer = FOOTERS[locale](site)
  const text = [
    greeting,
    lead,
    ...(highlight === undefined ? [] : [`    ${highlight}`]),
    ...paragraphs,
    ...(link ? [`${link.label}: ${link.url}`] : []),
    `-- \n${footer}`,
  ].join('\n\n')
  const html = [
    `<!doctype html><html lang="${locale}"><head><meta charset="utf-8">`,
    `<meta name="viewport" content="width=device-width"><title>${escapeHtml(subject)}</title></head>`,
    '<body style="margin:0;padding:24px;background:#f4f4f5;font:16px/1.5 system-ui,sans-serif;color:#18181b">',
    '<div style="max-width:480px;margin:0 auto;padding:32px;background:#fff;border-radius:8px">',
    paragraph(greeting),
    paragraph(lead),
    ...(highlight === undefined ? [] : [highlighted(highlight)]),
    ...paragraphs.map(paragraph),
    ...(link ? [`<p><a href="${escapeHtml(link.url)}">${escapeHtml(link.label)}</a></p>`] : []),
    `</div><p style="max-width:480px;margin:16px auto;font-size:13px;color:#52525b">${escapeHtml(footer)}</p>`,
    '</body></html>',
  ].join('\n')
  return { subject, text: `${text}\n`, html: `${html}\n` }
}

const UNSUBSCRIBE: Record<Locale, string> = {
  en: 'Unsubscribe from these emails',
  uk: 'Відписатися від цих листів',
  ru: 'Отписаться от этих писем',
}

/** Adds an unsubscribe link. */
export function withUnsubscribe(
  { subject, text, html }: RenderedEmail,
  locale: Locale,
  url: string,
): RenderedEmail {
  const label = UNSUBSCRIBE[locale]
  const link = `<p style="max-width:480px;margin:16px auto;font-size:13px"><a href="${escapeHtml(url)}">${label}</a></p>`
  return {
    subject,
    text: `${text}${label}: ${url}\n`,
    html: html.replace('</body>', () => `${link}\n</body>`),
    unsubscribe_url: url,
  }
}

function highlighted(text: string): string {
  return `<p style="margin:24px 0;font-size:32px;font-weight:700;letter-spacing:4px">${escapeHtml(text)}</p>`
}

function paragraph(text: string): string {
  return `<p style="margin:0 0 16px">${escapeHtml(text)}</p>`
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
}
