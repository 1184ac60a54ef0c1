import type { Locale, Texts } from '../../../shared/text/texts.ts'

/** Why a delivery or an attempt got no response. The stored code is the key. */
const DELIVERY_FAULTS = {
  deleted_endpoint: {
    en: 'The endpoint was deleted.',
    uk: 'Кінцеву точку видалено.',
    ru: 'Конечная точка удалена.',
  },
  disabled_endpoint: {
    en: 'The endpoint is disabled.',
    uk: 'Кінцеву точку вимкнено.',
    ru: 'Конечная точка отключена.',
  },
  deleted_subject: {
    en: 'The job or batch of the event was deleted.',
    uk: 'Завдання або пакет події видалено.',
    ru: 'Задание или пакет события удалены.',
  },
  unencrypted: {
    en: 'The URL is not encrypted. This service sends webhooks to https only.',
    uk: 'URL не захищений шифруванням. Цей сервіс надсилає вебхуки лише на https.',
    ru: 'URL не защищен шифрованием. Этот сервис отправляет вебхуки только на https.',
  },
  not_public: {
    en: 'The URL does not lead to a public address. Private and reserved addresses receive no webhooks.',
    uk: 'URL не веде до загальнодоступної адреси. Приватні та зарезервовані адреси не отримують вебхуків.',
    ru: 'URL не ведет к общедоступному адресу. Частные и зарезервированные адреса не получают вебхуков.',
  },
  unknown_host: {
    en: 'The host name does not resolve. Check its spelling and its DNS records.',
    uk: 'Ім’я хоста не знайдено в DNS. Перевірте його написання та записи DNS.',
    ru: 'Имя хоста не найдено в DNS. Проверьте его написание и записи DNS.',
  },
  dns_unavailable: {
    en: 'The host name could not be resolved now.',
    uk: 'Зараз не вдалося знайти ім’я хоста в DNS.',
    ru: 'Сейчас не удалось найти имя хоста в DNS.',
  },
  timeout: {
    en: 'No response came within 15 seconds.',
    uk: 'Відповіді не було протягом 15 секунд.',
    ru: 'Ответа не было в течение 15 секунд.',
  },
  connection_failed: {
    en: 'The connection failed. Check that the server can be reached and that its certificate is valid.',
    uk: 'Не вдалося з’єднатися. Перевірте, чи сервер доступний і чи дійсний його сертифікат.',
    ru: 'Не удалось соединиться. Проверьте, доступен ли сервер и действителен ли его сертификат.',
  },
} satisfies Record<string, Texts>

export type DeliveryFault = keyof typeof DELIVERY_FAULTS

/** Returns the sentence of a stored fault. Older rows contain an English sentence instead of a code. */
export function deliveryErrorText(stored: string | null, locale: Locale): string | null {
  if (stored === null || !Object.hasOwn(DELIVERY_FAULTS, stored)) return stored
  return DELIVERY_FAULTS[stored as DeliveryFault][locale]
}
