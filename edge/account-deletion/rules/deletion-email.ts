import type { Locale } from '../../../shared/text/texts.ts'
import type { EmailContent } from '../../emails/rules/content.ts'

export interface DeletionEmail {
  expired_paid_credits: number
  ends_renewal: boolean
}

interface Phrases {
  subject: string
  greeting: string
  lead: (site: string) => string
  erased: string
  expired: (count: string) => string
  unrenewed: string
  kept: string
  other: string
}

const PHRASES: Record<Locale, Phrases> = {
  en: {
    subject: 'Your account was deleted',
    greeting: 'Hello,',
    lead: (site) => `As you requested, your account at ${site} was deleted. This cannot be undone.`,
    erased:
      'Your name, address, API keys and sessions are erased. Your open jobs were canceled, and your files are being deleted.',
    expired: (count) => `Bonuses that you paid for and did not use: ${count}. They expired with the account.`,
    unrenewed: 'Your plan no longer renews, and nothing more is charged.',
    kept: 'Accounting law requires us to keep your orders and the history of your bonuses. They no longer contain your name or address.',
    other: 'If you did not request this, contact support immediately.',
  },
  uk: {
    subject: 'Ваш обліковий запис видалено',
    greeting: 'Вітаємо!',
    lead: (site) => `На ваше прохання обліковий запис на ${site} видалено. Скасувати це неможливо.`,
    erased:
      'Ваше ім’я, адресу, ключі API та сеанси стерто. Незавершені завдання скасовано, а файли видаляються.',
    expired: (count) =>
      `Оплачених і не використаних бонусів: ${count}. Вони згоріли разом з обліковим записом.`,
    unrenewed: 'Ваш тариф більше не поновлюється: нічого не буде списано.',
    kept: 'Закон про бухгалтерський облік зобов’язує нас зберігати ваші замовлення та історію бонусів. У них більше немає вашого імені й адреси.',
    other: 'Якщо ви про це не просили, негайно напишіть до підтримки.',
  },
  ru: {
    subject: 'Ваш аккаунт удален',
    greeting: 'Здравствуйте!',
    lead: (site) => `По вашей просьбе аккаунт на ${site} удален. Отменить это невозможно.`,
    erased: 'Ваше имя, адрес, ключи API и сеансы стерты. Незавершенные задания отменены, а файлы удаляются.',
    expired: (count) => `Оплаченных и не использованных бонусов: ${count}. Они сгорели вместе с аккаунтом.`,
    unrenewed: 'Ваш тариф больше не продлевается: ничего не будет списано.',
    kept: 'Закон о бухгалтерском учете обязывает нас хранить ваши заказы и историю бонусов. В них больше нет вашего имени и адреса.',
    other: 'Если вы об этом не просили, немедленно напишите в поддержку.',
  },
}

/** Writes the email that confirms a deletion. Contract: Accounts, Account deletion. */
export function writeDeletionEmail(
  { expired_paid_credits, ends_renewal }: DeletionEmail,
  locale: Locale,
  site: string,
): EmailContent {
  const phrases = PHRASES[locale]
  const count = new Intl.NumberFormat(locale).format(expired_paid_credits)
  return {
    subject: phrases.subject,
    greeting: phrases.greeting,
    blocks: [
      phrases.lead(site),
      phrases.erased,
      ...(expired_paid_credits > 0 ? [phrases.expired(count)] : []),
      ...(ends_renewal ? [phrases.unrenewed] : []),
      phrases.kept,
      phrases.other,
    ],
  }
}
