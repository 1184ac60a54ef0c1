import type { Locale } from '../../../shared/text/texts.ts'
import type { EmailContent } from '../../emails/rules/content.ts'
import { formatMoment, formatMoney } from '../../emails/rules/formats.ts'

export interface PaybackEmail {
  order_id: string
  item_name: string
  /** Before tax. */
  amount_cents: number
  currency: string
  at: number
}

interface Phrases {
  greeting: string
  subject: (order: string) => string
  heading: string
  lead: (item: string, date: string) => string
  back: string
  later: string
  order: string
}

const PHRASES: Record<Locale, Phrases> = {
  en: {
    greeting: 'Hello,',
    subject: (order) => `We are paying back your payment for order ${order}`,
    heading: 'We are paying back your payment',
    lead: (item, date) =>
      `On ${date} (UTC) a payment for ${item} arrived. The account that ordered it was deleted before, so nothing was delivered. Amount before tax:`,
    back: 'The payment provider pays the whole amount, with tax, back to your original payment method.',
    later: 'It may take a few days to arrive, depending on your bank. You do not have to do anything.',
    order: 'Order',
  },
  uk: {
    greeting: 'Вітаємо!',
    subject: (order) => `Ми повертаємо ваш платіж за замовленням ${order}`,
    heading: 'Ми повертаємо ваш платіж',
    lead: (item, date) =>
      `${date} (UTC) надійшов платіж за ${item}. Обліковий запис, з якого зробили замовлення, видалено раніше, тому нічого не надано. Сума без податку:`,
    back: 'Платіжний сервіс поверне всю суму разом із податком тим самим шляхом.',
    later: 'Залежно від банку надходження може тривати кілька днів. Робити нічого не потрібно.',
    order: 'Замовлення',
  },
  ru: {
    greeting: 'Здравствуйте!',
    subject: (order) => `Мы возвращаем ваш платеж по заказу ${order}`,
    heading: 'Мы возвращаем ваш платеж',
    lead: (item, date) =>
      `${date} (UTC) поступил платеж за ${item}. Аккаунт, с которого сделан заказ, удален раньше, поэтому ничего не предоставлено. Сумма без налога:`,
    back: 'Платежный сервис вернет всю сумму вместе с налогом тем же путем.',
    later: 'В зависимости от банка поступление может занять несколько дней. Делать ничего не нужно.',
    order: 'Заказ',
  },
}

/** Writes the email about a payment for a deleted account that is paid back. Contract: Accounts, Account deletion. */
export function writePaybackEmail(paid: PaybackEmail, locale: Locale): EmailContent {
  const phrases = PHRASES[locale]
  const { order_id, item_name, amount_cents, currency, at } = paid
  return {
    subject: phrases.subject(order_id),
    heading: phrases.heading,
    greeting: phrases.greeting,
    blocks: [
      phrases.lead(item_name, formatMoment(at, locale)),
      { figure: formatMoney(amount_cents, currency, locale) },
      phrases.back,
      phrases.later,
      { facts: [[phrases.order, order_id]] },
    ],
  }
}
