import type { Locale } from '../../../shared/text/texts.ts'
import type { EmailContent } from '../../emails/rules/content.ts'
import { formatDate } from '../../emails/rules/formats.ts'

export interface EndpointEmail {
  url: string
  failing_since: number
}

interface Phrases {
  subject: string
  greeting: string
  lead: (site: string) => string
  failed: (date: string) => string
  advice: string
}

const PHRASES: Record<Locale, Phrases> = {
  en: {
    subject: 'A webhook endpoint was disabled',
    greeting: 'Hello,',
    lead: (site) => `Your account at ${site} has a webhook endpoint that no longer works:`,
    failed: (date) =>
      `All requests to it have failed since ${date}, so we disabled it. It receives no more events.`,
    advice: 'When your server works again, enable the endpoint, and replay the deliveries that failed.',
  },
  uk: {
    subject: 'Кінцеву точку вебхуків вимкнено',
    greeting: 'Вітаємо!',
    lead: (site) => `Кінцева точка вебхуків вашого облікового запису на ${site} більше не працює:`,
    failed: (date) =>
      `Усі запити до неї не вдавалися з ${date}, тому ми її вимкнули. Вона більше не отримує подій.`,
    advice: 'Коли ваш сервер знову запрацює, увімкніть кінцеву точку й повторіть невдалі доставки.',
  },
  ru: {
    subject: 'Конечная точка вебхуков отключена',
    greeting: 'Здравствуйте!',
    lead: (site) => `Конечная точка вебхуков вашего аккаунта на ${site} больше не работает:`,
    failed: (date) =>
      `Все запросы к ней завершались неудачей с ${date}, поэтому мы ее отключили. Она больше не получает событий.`,
    advice: 'Когда ваш сервер снова заработает, включите конечную точку и повторите неудавшиеся доставки.',
  },
}

/** Writes the email about an endpoint that was disabled. Contract: Webhooks, Disabled endpoints. */
export function writeEndpointEmail(
  { url, failing_since }: EndpointEmail,
  locale: Locale,
  site: string,
): EmailContent {
  const { subject, greeting, lead, failed, advice } = PHRASES[locale]
  const blocks = [lead(site), { quote: url }, failed(formatDate(failing_since, locale)), advice]
  return { subject, greeting, blocks }
}
