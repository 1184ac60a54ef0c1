import type { Locale } from '../../../shared/text/texts.ts'
import type { EmailContent } from '../../emails/rules/content.ts'
import { formatMoment, formatMoney } from '../../emails/rules/formats.ts'
import { receiptLink } from '../../receipts/rules/receipt-link.ts'

export interface RefundEmail {
  status: 'acknowledged' | 'succeeded' | 'failed'
  refund_id: string
  order_id: string
  item_name: string
  amount_cents: number
  currency: string
  /** Credits removed from the balance or withdrawn before delivery. */
  credits: number
  /** True within the statutory period; the email quotes what the buyer declared. */
  withdrawal: boolean
  /** True if the buyer confirmed a statement of withdrawal, whose receipt the email acknowledges. */
  declaration: boolean
  /** True if the mandate of its plan was also ended. */
  ends_renewal: boolean
  /** False if the account was deleted, so a failed refund returns no credits. */
  credits_return: boolean
  /** null until the credit note is issued. */
  credit_note_url: string | null
  by_hand: boolean
  note: string | null
  /** When the refund was requested. */
  at: number
}

interface Words {
  greeting: string
  subject: Record<RefundEmail['status'], (id: string) => string>
  heading: Record<RefundEmail['status'], string>
  lead: Record<RefundEmail['status'], (item: string) => string>
  /** Instead of `acknowledged`, for a statement of withdrawal. */
  withdrawn: { subject: (id: string) => string; heading: string; lead: (item: string) => string }
  received: (date: string) => string
  declared: (text: string) => string
  credits: (count: string) => string
  unrenewed: string
  next: (by_hand: boolean) => string
  nothing: string
  paid: string
  back: string
  unpaid: string
  refund: string
  order: string
}

const WORDS: Record<Locale, Words> = {
  en: {
    greeting: 'Hello,',
    subject: {
      acknowledged: (id) => `We received your refund request for order ${id}`,
      succeeded: (id) => `Your refund for order ${id} is paid`,
      failed: (id) => `Your refund for order ${id} did not go through`,
    },
    heading: {
      acknowledged: 'We received your refund request',
      succeeded: 'Your refund is paid',
      failed: 'Your refund did not go through',
    },
    lead: {
      acknowledged: (item) => `You requested a refund for ${item}. Amount:`,
      succeeded: (item) => `Your payment for ${item} was refunded:`,
      failed: (item) => `Your payment for ${item} could not be refunded:`,
    },
    withdrawn: {
      subject: (id) => `We received your withdrawal from order ${id}`,
      heading: 'We received your withdrawal',
      lead: (item) => `You withdrew from the purchase of ${item}. Amount to be paid back:`,
    },
    received: (date) => `Received on ${date} (UTC).`,
    declared: (text) => `You declared: “${text}”`,
    credits: (count) => `${count} bonuses were removed from your account, or will not be delivered.`,
    unrenewed: 'Your plan no longer renews, and nothing more is charged automatically.',
    next: (by_hand) =>
      by_hand
        ? 'This payment method does not support refunds, so we transfer the money manually and email you when it is sent.'
        : 'The payment provider refunds your original payment method, with any tax that was charged on this amount. We email you when it is done.',
    nothing:
      'There is nothing to pay back: the bonuses of this order are used up, or its money was already paid back or is on its way.',
    paid: 'It may take a few days to arrive.',
    back: 'The bonuses are back in your account. Contact support and quote the numbers below.',
    unpaid:
      'The account was deleted, so the bonuses cannot be returned. Contact support and quote the numbers below.',
    refund: 'Refund',
    order: 'Order',
  },
  uk: {
    greeting: 'Вітаємо!',
    subject: {
      acknowledged: (id) => `Ми отримали запит на повернення за замовленням ${id}`,
      succeeded: (id) => `Гроші за замовлення ${id} повернено`,
      failed: (id) => `Гроші за замовлення ${id} не вдалося повернути`,
    },
    heading: {
      acknowledged: 'Запит на повернення отримано',
      succeeded: 'Гроші повернено',
      failed: 'Гроші не вдалося повернути',
    },
    lead: {
      acknowledged: (item) => `Ви попросили повернути гроші за ${item}. Сума повернення:`,
      succeeded: (item) => `Гроші за ${item} повернено:`,
      failed: (item) => `Гроші за ${item} не вдалося повернути:`,
    },
    withdrawn: {
      subject: (id) => `Ми отримали вашу відмову від замовлення ${id}`,
      heading: 'Відмову отримано',
      lead: (item) => `Ви відмовилися від покупки: ${item}. Сума повернення:`,
    },
    received: (date) => `Отримано ${date} (UTC).`,
    declared: (text) => `Ви заявили: «${text}»`,
    credits: (count) => `Бонусів, які знято з рахунку або які вже не надійдуть: ${count}.`,
    unrenewed: 'Ваш тариф більше не поновлюється: нічого не буде списано автоматично.',
    next: (by_hand) =>
      by_hand
        ? 'Цей платіж не можна повернути тим самим шляхом, тому ми переказуємо гроші вручну й напишемо, коли їх буде надіслано.'
        : 'Платіжний сервіс поверне гроші тим самим шляхом, разом із податком на цю суму, якщо його стягнули; ми напишемо, коли це станеться.',
    nothing:
      'Повертати нічого: бонуси цього замовлення використано, або гроші за нього вже повернено чи вони в дорозі.',
    paid: 'Надходження може тривати кілька днів.',
    back: 'Бонуси знову на вашому рахунку. Напишіть до підтримки, вказавши номери нижче, і ми розберемося.',
    unpaid:
      'Обліковий запис видалено, тому бонуси повернути неможливо. Напишіть до підтримки, вказавши номери нижче.',
    refund: 'Повернення',
    order: 'Замовлення',
  },
  ru: {
    greeting: 'Здравствуйте!',
    subject: {
      acknowledged: (id) => `Мы получили запрос на возврат по заказу ${id}`,
      succeeded: (id) => `Деньги за заказ ${id} возвращены`,
      failed: (id) => `Деньги за заказ ${id} вернуть не удалось`,
    },
    heading: {
      acknowledged: 'Запрос на возврат получен',
      succeeded: 'Деньги возвращены',
      failed: 'Деньги вернуть не удалось',
    },
    lead: {
      acknowledged: (item) => `Вы попросили вернуть деньги за ${item}. Сумма возврата:`,
      succeeded: (item) => `Деньги за ${item} возвращены:`,
      failed: (item) => `Деньги за ${item} вернуть не удалось:`,
    },
    withdrawn: {
      subject: (id) => `Мы получили ваш отказ от заказа ${id}`,
      heading: 'Отказ получен',
      lead: (item) => `Вы отказались от покупки: ${item}. Сумма возврата:`,
    },
    received: (date) => `Получено ${date} (UTC).`,
    declared: (text) => `Вы заявили: «${text}»`,
    credits: (count) => `Бонусов, которые сняты со счета или уже не придут: ${count}.`,
    unrenewed: 'Ваш тариф больше не продлевается: ничего не будет списано автоматически.',
    next: (by_hand) =>
      by_hand
        ? 'Этот платеж нельзя вернуть тем же путем, поэтому мы переводим деньги вручную и напишем, когда они будут отправлены.'
        : 'Платежный сервис вернет деньги тем же путем, вместе с налогом на эту сумму, если он был взят; мы напишем, когда это случится.',
    nothing:
      'Возвращать нечего: бонусы этого заказа использованы, либо деньги за него уже возвращены или в пути.',
    paid: 'Поступление может занять несколько дней.',
    back: 'Бонусы снова на вашем счете. Напишите в поддержку, указав номера ниже, и мы разберемся.',
    unpaid: 'Аккаунт удален, поэтому бонусы вернуть нельзя. Напишите в поддержку, указав номера ниже.',
    refund: 'Возврат',
    order: 'Заказ',
  },
}

/** Writes the email that acknowledges a refund request or reports its outcome. Contract: Purchase rule 10. */
export function writeRefundEmail(refund: RefundEmail, locale: Locale): EmailContent {
  const words = WORDS[locale]
  const { status, credits, note } = refund
  const asked = [
    // The acknowledgment of a withdrawal must state the date and the time.
    words.received(formatMoment(refund.at, locale)),
    ...(refund.withdrawal && note ? [words.declared(note)] : []),
    ...(credits > 0 ? [words.credits(new Intl.NumberFormat(locale).format(credits))] : []),
    ...(refund.ends_renewal ? [words.unrenewed] : []),
    refund.amount_cents === 0 ? words.nothing : words.next(refund.by_hand),
  ]
  const said = {
    acknowledged: asked,
    succeeded: [words.paid],
    failed: [refund.credits_return ? words.back : words.unpaid],
  }
  const { subject, heading, lead } = refund.declaration
    ? words.withdrawn
    : { subject: words.subject[status], heading: words.heading[status], lead: words.lead[status] }
  return {
    subject: subject(refund.order_id),
    heading,
    greeting: words.greeting,
    blocks: [
      lead(refund.item_name),
      { figure: formatMoney(refund.amount_cents, refund.currency, locale) },
      ...said[status],
      ...receiptLink('credit_note', refund.credit_note_url, locale),
      {
        facts: [
          [words.refund, refund.refund_id],
          [words.order, refund.order_id],
        ],
      },
    ],
  }
}
