import type { Locale } from '../../../shared/text/texts.ts'
import type { EmailContent } from '../../emails/rules/content.ts'
import { formatCountry, formatDate, formatMoney } from '../../emails/rules/formats.ts'
import type { LegalDocument } from '../../legal/rules/documents.ts'
import type { ProviderKind } from '../../payments/rules/provider-kind.ts'
import { receiptLink } from '../../receipts/rules/receipt-link.ts'
import { cancelLink } from '../../subscriptions/rules/cancel-link.ts'
import { withdrawalNotice } from './withdrawal-notice.ts'

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
  receipt_url: string
  items: readonly OrderedItem[]
  amount_cents: number
  currency: string
  paid_at: number
  /** null if the provider is no longer configured. */
  provider_kind: ProviderKind | null
  /** What the provider charged with tax, in the currency of the payer; null if it does not report it. */
  charged: { total_cents: number; tax_cents: number; currency: string } | null
  seller: {
    name: string
    address: string
    country: string | null
    vat_id: string | null
    email: string | null
  }
  /** The documents that were accepted, with the addresses of their versions. */
  documents: readonly { document: LegalDocument; version: string; url: string }[]
  /** When the statutory right of withdrawal ends. */
  withdrawal_deadline: number
  /** Public URL of the service. */
  url: string
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
  total: string
  of_which_tax: string
  seller: string
  agreed: string
  document: (name: LegalDocument, version: string) => string
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
    total: 'Total with tax',
    of_which_tax: 'Tax in it',
    seller: 'Seller',
    agreed:
      'You agreed to these documents and requested immediate delivery, before the withdrawal period ends:',
    document: (name, version) =>
      `${name === 'terms' ? 'Terms' : 'Refunds and withdrawal'}, version ${version}`,
    renews: (date, amount) =>
      `The plan renews automatically: ${amount} before tax is charged on ${date}, and we email you beforehand. You can cancel the renewal at any time and keep what you have paid for.`,
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
    total: 'Усього з податком',
    of_which_tax: 'Із них податок',
    seller: 'Продавець',
    agreed:
      'Ви погодилися з цими документами й попросили виконати замовлення одразу, до закінчення строку для відмови:',
    document: (name, version) =>
      `${name === 'terms' ? 'Умови' : 'Повернення коштів і відмова'}, версія ${version}`,
    renews: (date, amount) =>
      `Тариф поновлюється сам: ${date} буде списано ${amount} без податку, і ми попередимо вас заздалегідь. Поновлення можна скасувати будь-коли; усе, за що ви заплатили, залишиться вашим.`,
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
    total: 'Всего с налогом',
    of_which_tax: 'Из них налог',
    seller: 'Продавец',
    agreed:
      'Вы согласились с этими документами и попросили выполнить заказ сразу, до окончания срока для отказа:',
    document: (name, version) =>
      `${name === 'terms' ? 'Условия' : 'Возврат средств и отказ'}, версия ${version}`,
    renews: (date, amount) =>
      `Тариф продлевается сам: ${date} будет списано ${amount} без налога, и мы предупредим вас заранее. Продление можно отменить в любое время; все, за что вы заплатили, останется вашим.`,
    once: 'Больше ничего не будет списано автоматически.',
  },
}

/**
 * Writes the confirmation email: items, payment, consents, and the right of withdrawal, as Directive 2011/83/EU, art.
 * 8 (7) requires. Contract: Notifications, Order confirmation.
 */
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
          ...describeTax(order, words, locale),
          [words.seller, describeSeller(order, locale)],
        ],
      },
      ...receiptLink('receipt', order.receipt_url, locale),
      ...(order.provider_kind === null || order.charged !== null ? [] : [words.tax[order.provider_kind]]),
      ...nextCharge(order, words, { date, money }),
      ...cancelLink(order.renewal?.cancel_url ?? null, locale),
      words.agreed,
      ...order.documents.map(({ document, version, url }) => ({
        link: { label: words.document(document, version), url },
      })),
      ...withdrawalNotice({ ...order, deadline: order.withdrawal_deadline }, locale),
    ],
  }
}

function describe({ credits, months, starts_at }: OrderedItem, words: Phrases, locale: Locale): string {
  const count = new Intl.NumberFormat(locale).format(credits)
  if (months === null) return words.pack(count)
  const plan = words.plan(months, count)
  return starts_at === null ? plan : `${plan} ${words.starts(formatDate(starts_at, locale))}`
}

/** Returns the total and its tax as the provider reported them. */
function describeTax({ charged }: OrderConfirmation, words: Phrases, locale: Locale): [string, string][] {
  if (charged === null) return []
  const { total_cents, tax_cents, currency } = charged
  return [
    [words.total, formatMoney(total_cents, currency, locale)],
    [words.of_which_tax, formatMoney(tax_cents, currency, locale)],
  ]
}

function describeSeller({ seller }: OrderConfirmation, locale: Locale): string {
  const { name, address, country, vat_id, email } = seller
  const lines = [name, address, country === null ? null : formatCountry(country, locale), vat_id, email]
  return lines.filter(Boolean).join('\n')
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
