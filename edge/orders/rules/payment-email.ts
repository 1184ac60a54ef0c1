import type { Locale } from '../../../shared/text/texts.ts'
import type { Block, EmailContent } from '../../emails/rules/content.ts'
import { formatMoney } from '../../emails/rules/formats.ts'
import { receiptLink } from '../../receipts/rules/receipt-link.ts'

/** Emails about a payment that is not the price: what arrived, and how it was resolved. */
export const PAYMENT_EMAILS = [
  'underpaid',
  'refused',
  'overpaid',
  'surplus_credited',
  'surplus_returned',
] as const

export interface PaymentEmail {
  status: (typeof PAYMENT_EMAILS)[number]
  order_id: string
  item_name: string
  price_cents: number
  /** What arrived and was not refused before. */
  paid_cents: number
  /** What is missing from the price, or the surplus. */
  difference_cents: number
  currency: string
  /** Credits for the surplus; null for other emails. */
  credits: number | null
  /** Where the rest can be paid; null if unknown. */
  checkout_url: string | null
  /** Receipt of the credited surplus; null for other emails. */
  receipt_url: string | null
}

type Status = PaymentEmail['status']

interface Words {
  greeting: string
  subject: Record<Status, (id: string) => string>
  heading: Record<Status, string>
  lead: Record<Status, (item: string) => string>
  next: Record<Status, (credits: string) => string[]>
  pay: string
  order: string
  price: string
  paid: string
  missing: string
  surplus: string
}

const WORDS: Record<Locale, Words> = {
  en: {
    greeting: 'Hello,',
    subject: {
      underpaid: (id) => `Your payment for order ${id} is incomplete`,
      refused: (id) => `Order ${id} is closed, and its payment is returned`,
      overpaid: (id) => `You paid more than order ${id} costs`,
      surplus_credited: (id) => `Bonuses for the surplus of order ${id}`,
      surplus_returned: (id) => `The surplus of order ${id} is paid back`,
    },
    heading: {
      underpaid: 'Your payment is incomplete',
      refused: 'Your payment was not enough',
      overpaid: 'You paid more than needed',
      surplus_credited: 'Your surplus is added as bonuses',
      surplus_returned: 'Your surplus is paid back',
    },
    lead: {
      underpaid: (item) =>
        `Your payment for ${item} is less than the price, so nothing has been delivered yet. We received:`,
      refused: (item) =>
        `Your payment for ${item} was less than the price. Nothing was delivered, and the order is closed. We received:`,
      overpaid: (item) => `Your order for ${item} is paid. You paid more than needed, by:`,
      surplus_credited: (item) => `You paid more than needed for ${item}, and we added bonuses for it:`,
      surplus_returned: (item) => `You paid more than needed for ${item}, and we sent this amount back:`,
    },
    next: {
      underpaid: () => [
        'You can pay the missing amount on the payment page, if it still accepts payments. The order is delivered as soon as the whole price has arrived.',
        'Otherwise, our support decides: it delivers the part that you paid for, or closes the order and returns the money. We email you in either case.',
      ],
      refused: () => [
        'We return this money by hand, because the payment provider cannot. Contact support, quote the order number, and say to which address to send it.',
      ],
      overpaid: () => [
        'Our support either adds bonuses for this amount, at the price of your order, or sends it back. You do not need to do anything, and we email you when it is done.',
        'If you prefer one of the two, contact support and quote the order number.',
      ],
      surplus_credited: (credits) => [
        `${credits} bonuses were added to your account, at the price of your order. They never expire.`,
      ],
      surplus_returned: () => [
        'We sent it by hand. If it does not arrive within a few days, contact support and quote the order number.',
      ],
    },
    pay: 'Open the payment page',
    order: 'Order',
    price: 'Price',
    paid: 'Received',
    missing: 'Missing',
    surplus: 'More than needed',
  },
  uk: {
    greeting: 'Вітаємо!',
    subject: {
      underpaid: (id) => `Замовлення ${id} оплачено не повністю`,
      refused: (id) => `Замовлення ${id} закрито, гроші повертаємо`,
      overpaid: (id) => `За замовлення ${id} надійшло більше, ніж потрібно`,
      surplus_credited: (id) => `Бонуси за переплату в замовленні ${id}`,
      surplus_returned: (id) => `Переплату за замовлення ${id} повернено`,
    },
    heading: {
      underpaid: 'Оплата неповна',
      refused: 'Оплати не вистачило',
      overpaid: 'Ви заплатили більше, ніж потрібно',
      surplus_credited: 'Переплату зараховано бонусами',
      surplus_returned: 'Переплату повернено',
    },
    lead: {
      underpaid: (item) => `За ${item} надійшло менше за ціну, тому ми ще нічого не нарахували. Ми отримали:`,
      refused: (item) =>
        `За ${item} надійшло менше за ціну. Ми нічого не нарахували, і замовлення закрито. Ми отримали:`,
      overpaid: (item) => `Ваше замовлення (${item}) оплачено. Ви заплатили більше, ніж потрібно, на:`,
      surplus_credited: (item) =>
        `Ви заплатили за ${item} більше, ніж потрібно, і ми нарахували за це бонуси:`,
      surplus_returned: (item) =>
        `Ви заплатили за ${item} більше, ніж потрібно, і ми надіслали цю суму назад:`,
    },
    next: {
      underpaid: () => [
        'Решту можна доплатити на сторінці оплати, якщо вона ще приймає платежі. Щойно надійде вся ціна, ми виконаємо замовлення.',
        'Інакше вирішить підтримка: нарахує оплачену частину або закриє замовлення й поверне гроші. У будь-якому разі ми вам напишемо.',
      ],
      refused: () => [
        'Ми повертаємо ці гроші вручну, бо платіжний сервіс цього не може. Зверніться до підтримки, вкажіть номер замовлення й адресу, на яку їх надіслати.',
      ],
      overpaid: () => [
        'Підтримка або нарахує за цю суму бонуси за ціною вашого замовлення, або надішле її назад. Вам нічого не потрібно робити: ми напишемо, коли це станеться.',
        'Якщо вам зручніше одне з двох, зверніться до підтримки й вкажіть номер замовлення.',
      ],
      surplus_credited: (credits) => [
        `Бонусів нараховано за ціною вашого замовлення: ${credits}. Вони не мають строку дії.`,
      ],
      surplus_returned: () => [
        'Ми надіслали її вручну. Якщо за кілька днів вона не надійде, зверніться до підтримки й вкажіть номер замовлення.',
      ],
    },
    pay: 'Відкрити сторінку оплати',
    order: 'Замовлення',
    price: 'Ціна',
    paid: 'Отримано',
    missing: 'Не вистачає',
    surplus: 'Переплата',
  },
  ru: {
    greeting: 'Здравствуйте!',
    subject: {
      underpaid: (id) => `Заказ ${id} оплачен не полностью`,
      refused: (id) => `Заказ ${id} закрыт, деньги возвращаем`,
      overpaid: (id) => `За заказ ${id} пришло больше, чем нужно`,
      surplus_credited: (id) => `Бонусы за переплату в заказе ${id}`,
      surplus_returned: (id) => `Переплата за заказ ${id} возвращена`,
    },
    heading: {
      underpaid: 'Оплата неполная',
      refused: 'Оплаты не хватило',
      overpaid: 'Вы заплатили больше, чем нужно',
      surplus_credited: 'Переплата зачислена бонусами',
      surplus_returned: 'Переплата возвращена',
    },
    lead: {
      underpaid: (item) => `За ${item} пришло меньше цены, поэтому мы еще ничего не начислили. Мы получили:`,
      refused: (item) =>
        `За ${item} пришло меньше цены. Мы ничего не начислили, и заказ закрыт. Мы получили:`,
      overpaid: (item) => `Ваш заказ (${item}) оплачен. Вы заплатили больше, чем нужно, на:`,
      surplus_credited: (item) => `Вы заплатили за ${item} больше, чем нужно, и мы начислили за это бонусы:`,
      surplus_returned: (item) =>
        `Вы заплатили за ${item} больше, чем нужно, и мы отправили эту сумму назад:`,
    },
    next: {
      underpaid: () => [
        'Остаток можно доплатить на странице оплаты, если она еще принимает платежи. Как только придет вся цена, мы выполним заказ.',
        'Иначе решит поддержка: начислит оплаченную часть или закроет заказ и вернет деньги. В любом случае мы вам напишем.',
      ],
      refused: () => [
        'Мы возвращаем эти деньги вручную, потому что платежный сервис этого не может. Обратитесь в поддержку, укажите номер заказа и адрес, на который их отправить.',
      ],
      overpaid: () => [
        'Поддержка либо начислит за эту сумму бонусы по цене вашего заказа, либо отправит ее назад. Вам ничего не нужно делать: мы напишем, когда это случится.',
        'Если вам удобнее одно из двух, обратитесь в поддержку и укажите номер заказа.',
      ],
      surplus_credited: (credits) => [
        `Бонусов начислено по цене вашего заказа: ${credits}. Они не имеют срока действия.`,
      ],
      surplus_returned: () => [
        'Мы отправили ее вручную. Если за несколько дней она не придет, обратитесь в поддержку и укажите номер заказа.',
      ],
    },
    pay: 'Открыть страницу оплаты',
    order: 'Заказ',
    price: 'Цена',
    paid: 'Получено',
    missing: 'Не хватает',
    surplus: 'Переплата',
  },
}

/**
 * Writes the email about a payment that is not the price, or about how it was resolved. Contract: Purchases, Order
 * payments.
 */
export function writePaymentEmail(payment: PaymentEmail, locale: Locale): EmailContent {
  const words = WORDS[locale]
  const { status, order_id, checkout_url, receipt_url } = payment
  const money = (cents: number) => formatMoney(cents, payment.currency, locale)
  const isShort = status === 'underpaid' || status === 'refused'
  const difference = isShort ? words.missing : words.surplus
  const link: Block[] = checkout_url === null ? [] : [{ button: { label: words.pay, url: checkout_url } }]
  return {
    subject: words.subject[status](order_id),
    heading: words.heading[status],
    greeting: words.greeting,
    blocks: [
      words.lead[status](payment.item_name),
      { figure: money(isShort ? payment.paid_cents : payment.difference_cents) },
      {
        facts: [
          [words.order, order_id],
          [words.price, money(payment.price_cents)],
          [words.paid, money(payment.paid_cents)],
          [difference, money(payment.difference_cents)],
        ],
      },
      ...words.next[status](new Intl.NumberFormat(locale).format(payment.credits ?? 0)),
      ...receiptLink('receipt', receipt_url, locale),
      ...link,
    ],
  }
}
