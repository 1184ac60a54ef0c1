import type { Locale } from '../../../shared/text/texts.ts'
import type { EmailContent } from '../../emails/rules/content.ts'
import { formatDate, formatMoney } from '../../emails/rules/formats.ts'
import type { ProviderKind } from '../../payments/rules/provider-kind.ts'
import { cancelLink } from '../../subscriptions/rules/cancel-link.ts'

/** A pack, or the months of a plan. */
export interface OrderedItem {
  name: string
  credits: number
  /** null for a pack, whose credits never expire. */
  months: number | null
  /** When the first month starts; null once it has started, and for a pack. */
  starts_at: number | null
}

export interface OrderConfirmation {
  order_id: string
  items: readonly OrderedItem[]
  amount_cents: number
  currency: string
  paid_at: number
  /** null if the provider is no longer configured. */
  provider_kind: ProviderKind | null
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
  delivered: (site: string) => string
  queued: (site: string) => string
  pack: (credits: string) => string
  plan: (months: number, credits: string) => string
  starts: (date: string) => string
  order: string
  paid: string
  until: string
  tax: Record<ProviderKind, string>
  agreed: (version: string) => string
  renews: (date: string, amount: string) => string
  once: string
}

const PHRASES: Record<Locale, Phrases> = {
  en: {
    subject: (id) => `Your order ${id} is paid`,
    heading: 'Thank you for your order',
    greeting: 'Hello,',
    delivered: (site) =>
      `Your order at ${site} is paid and delivered. Include its number when you contact support.`,
    queued: (site) => `Your order at ${site} is paid. Include its number when you contact support.`,
    pack: (credits) => `A pack of ${credits} bonuses, which never expire.`,
    plan: (months, credits) =>
      `${months} ${months === 1 ? 'month' : 'months'}, ${credits} bonuses in total. Each month's bonuses arrive when the month starts.`,
    starts: (date) => `The first month starts on ${date}, after the months that you already have.`,
    order: 'Order',
    paid: 'Paid on (UTC)',
    until: 'Plan runs until',
    tax: {
      card: 'The amount is before tax; the receipt of the payment provider shows the tax.',
      crypto: 'This is the whole price: no tax was added, and the payment provider issues no tax receipt.',
    },
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
    delivered: (site) =>
      `Ваше замовлення на ${site} оплачено й виконано. Якщо писатимете до підтримки, назвіть його номер.`,
    queued: (site) =>
      `Ваше замовлення на ${site} оплачено. Якщо писатимете до підтримки, назвіть його номер.`,
    pack: (credits) => `Пакет бонусів: ${credits}. Вони не мають строку дії.`,
    plan: (months, credits) =>
      `Місяців: ${months}, бонусів загалом: ${credits}. Бонуси кожного місяця надходять на його початку.`,
    starts: (date) => `Перший місяць почнеться ${date}, після місяців, які ви вже маєте.`,
    order: 'Замовлення',
    paid: 'Оплачено (UTC)',
    until: 'Тариф діє до',
    tax: {
      card: 'Суму вказано без податку; податок показано в чеку платіжного сервісу.',
      crypto: 'Це вся ціна: податок не додано, і платіжний сервіс не видає чека з податком.',
    },
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
    delivered: (site) =>
      `Ваш заказ на ${site} оплачен и выполнен. Если будете писать в поддержку, назовите его номер.`,
    queued: (site) => `Ваш заказ на ${site} оплачен. Если будете писать в поддержку, назовите его номер.`,
    pack: (credits) => `Пакет бонусов: ${credits}. Они не имеют срока действия.`,
    plan: (months, credits) =>
      `Месяцев: ${months}, бонусов всего: ${credits}. Бонусы каждого месяца приходят в его начале.`,
    starts: (date) => `Первый месяц начнется ${date}, после месяцев, которые у вас уже есть.`,
    order: 'Заказ',
    paid: 'Оплачено (UTC)',
    until: 'Тариф действует до',
    tax: {
      card: 'Сумма указана без налога; налог показан в чеке платежного сервиса.',
      crypto: 'Это вся цена: налог не добавлен, и платежный сервис не выдает чека с налогом.',
    },
    agreed: (version) =>
      `Вы согласились с нашими условиями (версия ${version}) и попросили выполнить заказ сразу, до окончания срока для отказа.`,
    renews: (date, amount) =>
      `Тариф продлевается сам: ${date} будет списано ${amount}, и мы предупредим вас заранее. Продление можно отменить в любое время; все, за что вы заплатили, останется вашим.`,
    once: 'Больше ничего не будет списано автоматически.',
  },
}

/** Writes the confirmation email: items, payment, and consents. Contract: Notifications, Order confirmation. */
export function writeOrderEmail(order: OrderConfirmation, locale: Locale, site: string): EmailContent {
  const words = PHRASES[locale]
  const money = (cents: number) => formatMoney(cents, order.currency, locale)
  const date = (time: number) => formatDate(time, locale)
  const isQueued = order.items.some(({ starts_at }) => starts_at !== null)
  return {
    subject: words.subject(order.order_id),
    heading: words.heading,
    greeting: words.greeting,
    blocks: [
      isQueued ? words.queued(site) : words.delivered(site),
      { figure: money(order.amount_cents) },
      {
        facts: [
          ...order.items.map((item) => [item.name, describe(item, words, locale)] as const),
          [words.order, order.order_id],
          [words.paid, date(order.paid_at)],
          ...(order.period_end === null ? [] : [[words.until, date(order.period_end)] as const]),
        ],
      },
      ...(order.provider_kind === null ? [] : [words.tax[order.provider_kind]]),
      words.agreed(order.terms_version),
      ...nextCharge(order, words, { date, money }),
      ...cancelLink(order.renewal?.cancel_url ?? null, locale),
    ],
  }
}

function describe({ credits, months, starts_at }: OrderedItem, words: Phrases, locale: Locale): string {
  const count = new Intl.NumberFormat(locale).format(credits)
  if (months === null) return words.pack(count)
  const plan = words.plan(months, count)
  return starts_at === null ? plan : `${plan} ${words.starts(formatDate(starts_at, locale))}`
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
