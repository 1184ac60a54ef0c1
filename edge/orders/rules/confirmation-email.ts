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
  heading: string
  greeting: string
  lead: (site: string) => string
  pack: (credits: string) => string
  plan: (months: number, credits: string) => string
  order: string
  paid: string
  until: string
  tax: string
  agreed: (version: string) => string
  renews: (date: string, amount: string) => string
  once: string
}

const PHRASES: Record<Locale, Phrases> = {
  en: {
    subject: (id) => `Your order ${id} is paid`,
    heading: 'Thank you for your order',
    greeting: 'Hello,',
    lead: (site) =>
      `Your order at ${site} is paid and delivered. Include its number when you contact support.`,
    pack: (credits) => `A pack of ${credits} bonuses, which never expire.`,
    plan: (months, credits) =>
      `${months} ${months === 1 ? 'month' : 'months'}, ${credits} bonuses in total. Each month's bonuses arrive when the month starts.`,
    order: 'Order',
    paid: 'Paid on (UTC)',
    until: 'Plan runs until',
    tax: 'The amount is before tax; the receipt of the payment provider shows the tax.',
    agreed: (version) =>
      `You agreed to our terms (version ${version}) and requested immediate delivery, before the withdrawal period ends.`,
    renews: (date, amount) =>
      `The plan renews automatically: ${amount} is charged on ${date}, and we email you beforehand. You can cancel the renewal at any time and keep what you have paid for.`,
    once: 'Nothing more is charged automatically.',
  },
  uk: {
    subject: (id) => `Ваше замовлення ${id} оплачено`,
    heading: 'Дякуємо за замовлення',
    greeting: 'Вітаємо!',
    lead: (site) =>
      `Ваше замовлення на ${site} оплачено й виконано. Якщо писатимете до підтримки, назвіть його номер.`,
    pack: (credits) => `Пакет бонусів: ${credits}. Вони не мають строку дії.`,
    plan: (months, credits) =>
      `Місяців: ${months}, бонусів загалом: ${credits}. Бонуси кожного місяця надходять на його початку.`,
    order: 'Замовлення',
    paid: 'Оплачено (UTC)',
    until: 'Тариф діє до',
    tax: 'Суму вказано без податку; податок показано в чеку платіжного сервісу.',
    agreed: (version) =>
      `Ви погодилися з нашими умовами (версія ${version}) і попросили виконати замовлення одразу, до закінчення строку для відмови.`,
    renews: (date, amount) =>
      `Тариф поновлюється сам: ${date} буде списано ${amount}, і ми попередимо вас заздалегідь. Поновлення можна скасувати будь-коли; усе, за що ви заплатили, залишиться вашим.`,
    once: 'Більше нічого не буде списано автоматично.',
  },
  ru: {
    subject: (id) => `Ваш заказ ${id} оплачен`,
    heading: 'Спасибо за заказ',
    greeting: 'Здравствуйте!',
    lead: (site) =>
      `Ваш заказ на ${site} оплачен и выполнен. Если будете писать в поддержку, назовите его номер.`,
    pack: (credits) => `Пакет бонусов: ${credits}. Они не имеют срока действия.`,
    plan: (months, credits) =>
      `Месяцев: ${months}, бонусов всего: ${credits}. Бонусы каждого месяца приходят в его начале.`,
    order: 'Заказ',
    paid: 'Оплачено (UTC)',
    until: 'Тариф действует до',
    tax: 'Сумма указана без налога; налог показан в чеке платежного сервиса.',
    agreed: (version) =>
      `Вы согласились с нашими условиями (версия ${version}) и попросили выполнить заказ сразу, до окончания срока для отказа.`,
    renews: (date, amount) =>
      `Тариф продлевается сам: ${date} будет списано ${amount}, и мы предупредим вас заранее. Продление можно отменить в любое время; все, за что вы заплатили, останется вашим.`,
    once: 'Больше ничего не будет списано автоматически.',
  },
}

/** Writes the confirmation email: items, payment, and consents. Contract: Notifications, Order confirmation. */
export function writeOrderEmail(order: OrderConfirmation, locale: Locale, site: string): RenderedEmail {
  const words = PHRASES[locale]
  const money = (cents: number) => formatMoney(cents, order.currency, locale)
  const date = (time: number) => formatDate(time, locale)
  const count = (credits: number) => new Intl.NumberFormat(locale).format(credits)
  return renderEmail(
    {
      subject: words.subject(order.order_id),
      heading: words.heading,
      greeting: words.greeting,
      blocks: [
        words.lead(site),
        { figure: money(order.amount_cents) },
        {
          facts: [
            ...order.items.map(({ name, credits, months }) => {
              const what = months === null ? words.pack(count(credits)) : words.plan(months, count(credits))
              return [name, what] as const
            }),
            [words.order, order.order_id],
            [words.paid, date(order.paid_at)],
            ...(order.period_end === null ? [] : [[words.until, date(order.period_end)] as const]),
          ],
        },
        words.tax,
        words.agreed(order.terms_version),
        ...nextCharge(order, words, { date, money }),
        ...cancelLink(order.renewal?.cancel_url ?? null, locale),
      ],
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
