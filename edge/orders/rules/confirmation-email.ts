import type { Locale } from '../../../shared/text/texts.ts'
import { type RenderedEmail, renderEmail } from '../../emails/rules/email.ts'
import { formatDate, formatMoney } from '../../emails/rules/formats.ts'
import { cancelLink } from '../../subscriptions/rules/cancel-link.ts'

/** A delivered pack, or the delivered months of a plan. */
export interface OrderedItem {
  name: string
  credits: number
  /** null for a pack, whose credits never expire. */
  months: number | null
}

export interface OrderConfirmation {
  order_id: string
  items: readonly OrderedItem[]
  amount_cents: number
  currency: string
  paid_at: number
  terms_version: string
  /** The new end of the term; null for a pack without a plan. */
  period_end: number | null
  /** The next automatic charge; null if the term does not renew. */
  renewal: { at: number; amount_cents: number; cancel_url: string | null } | null
}

interface Phrases {
  subject: (id: string) => string
  greeting: string
  lead: (site: string) => string
  pack: (name: string, credits: string) => string
  plan: (name: string, months: number, credits: string) => string
  order: (id: string, date: string) => string
  /** Ukrainian and Russian dates already end with a period, because the word for "year" is abbreviated. */
  until: (date: string) => string
  tax: string
  agreed: (version: string) => string
  renews: (date: string, amount: string) => string
  once: string
}

const PHRASES: Record<Locale, Phrases> = {
  en: {
    subject: (id) => `Your order ${id} is paid`,
    greeting: 'Hello,',
    lead: (site) => `Thank you for your order at ${site}. It is paid and delivered:`,
    pack: (name, credits) => `${name}: a pack of ${credits} bonuses, which never expire.`,
    plan: (name, months, credits) =>
      `${name}: ${months} ${months === 1 ? 'month' : 'months'}, ${credits} bonuses in total. Each month's bonuses arrive when the month starts.`,
    order: (id, date) => `Order number ${id}, paid on ${date} (UTC). Include it when you contact support.`,
    until: (date) => `Your plan runs until ${date}.`,
    tax: 'The amount is before tax; the receipt of the payment provider shows the tax.',
    agreed: (version) =>
      `You agreed to our terms (version ${version}) and requested immediate delivery, before the withdrawal period ends.`,
    renews: (date, amount) =>
      `The plan renews automatically: ${amount} is charged on ${date}, and we email you beforehand. You can cancel the renewal at any time and keep what you have paid for.`,
    once: 'Nothing more is charged automatically.',
  },
  uk: {
    subject: (id) => `Ваше замовлення ${id} оплачено`,
    greeting: 'Вітаємо!',
    lead: (site) => `Дякуємо за замовлення на ${site}. Його оплачено й виконано:`,
    pack: (name, credits) => `${name}: пакет, бонусів: ${credits}. Вони не мають строку дії.`,
    plan: (name, months, credits) =>
      `${name}: місяців: ${months}, бонусів загалом: ${credits}. Бонуси кожного місяця надходять на його початку.`,
    order: (id, date) =>
      `Номер замовлення ${id}, оплачено ${date} (UTC). Назвіть його, якщо писатимете до підтримки.`,
    until: (date) => `Ваш тариф діє до ${date}`,
    tax: 'Суму вказано без податку; податок показано в чеку платіжного сервісу.',
    agreed: (version) =>
      `Ви погодилися з нашими умовами (версія ${version}) і попросили виконати замовлення одразу, до закінчення строку для відмови.`,
    renews: (date, amount) =>
      `Тариф поновлюється сам: ${date} буде списано ${amount}, і ми попередимо вас заздалегідь. Поновлення можна скасувати будь-коли; усе, за що ви заплатили, залишиться вашим.`,
    once: 'Більше нічого не буде списано автоматично.',
  },
  ru: {
    subject: (id) => `Ваш заказ ${id} оплачен`,
    greeting: 'Здравствуйте!',
    lead: (site) => `Спасибо за заказ на ${site}. Он оплачен и выполнен:`,
    pack: (name, credits) => `${name}: пакет, бонусов: ${credits}. Они не имеют срока действия.`,
    plan: (name, months, credits) =>
      `${name}: месяцев: ${months}, бонусов всего: ${credits}. Бонусы каждого месяца приходят в его начале.`,
    order: (id, date) =>
      `Номер заказа ${id}, оплачен ${date} (UTC). Назовите его, если будете писать в поддержку.`,
    until: (date) => `Ваш тариф действует до ${date}`,
    tax: 'Сумма указана без налога; налог показан в чеке платёжного сервиса.',
    agreed: (version) =>
      `Вы согласились с нашими условиями (версия ${version}) и попросили выполнить заказ сразу, до окончания срока для отказа.`,
    renews: (date, amount) =>
      `Тариф продлевается сам: ${date} будет списано ${amount}, и мы предупредим вас заранее. Продление можно отменить в любое время; всё, за что вы заплатили, останется вашим.`,
    once: 'Больше ничего не будет списано автоматически.',
  },
}

/** Writes the confirmation email: items, payment, and consents. Contract: Notifications, Order confirmation. */
export function writeOrderEmail(order: OrderConfirmation, locale: Locale, site: string): RenderedEmail {
  const words = PHRASES[locale]
  const money = (cents: number) => formatMoney(cents, order.currency, locale)
  const date = (time: number) => formatDate(time, locale)
  const credits = (count: number) => new Intl.NumberFormat(locale).format(count)
  return renderEmail(
    {
      subject: words.subject(order.order_id),
      greeting: words.greeting,
      lead: words.lead(site),
      highlight: money(order.amount_cents),
      paragraphs: [
        ...order.items.map((item) =>
          item.months === null
            ? words.pack(item.name, credits(item.credits))
            : words.plan(item.name, item.months, credits(item.credits)),
        ),
        words.order(order.order_id, date(order.paid_at)),
        ...(order.period_end === null ? [] : [words.until(date(order.period_end))]),
        words.tax,
        words.agreed(order.terms_version),
        ...nextCharge(order, words, { date, money }),
      ],
      link: cancelLink(order.renewal?.cancel_url ?? null, locale),
    },
    locale,
    site,
  )
}

interface Formats {
  date: (time: number) => string
  money: (cents: number) => string
}

/**
 * Returns the sentence about the next charge. There is none for a pack alone, because the account may also have a
 * plan that renews.
 */
function nextCharge({ renewal, period_end }: OrderConfirmation, words: Phrases, formats: Formats): string[] {
  const { date, money } = formats
  if (renewal !== null) return [words.renews(date(renewal.at), money(renewal.amount_cents))]
  return period_end === null ? [] : [words.once]
}
