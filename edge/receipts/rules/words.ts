import type { Locale } from '../../../shared/text/texts.ts'

/** The words of receipts and credit notes. */
interface Words {
  receipt: string
  credit_note: string
  date: string
  order: string
  payment: string
  seller: string
  /** The seller's part in a sale by a reseller. */
  supplier: string
  buyer: string
  vat_id: string
  item: string
  amount: string
  pack: (credits: string) => string
  plan: (months: string, credits: string) => string
  /** The line of a credit note. */
  refund: (order: string) => string
  /** A part of the price that was not paid, as a line with a negative amount. */
  unpaid: string
  before_tax: string
  tax: string
  total: string
  total_refunded: string
  /** The note of a receipt for a further payment. */
  further: (receipt: string) => string
  no_tax: string
  resold: (reseller: string) => string
  invoice: string
  pdf: string
}

export const WORDS: Record<Locale, Words> = {
  en: {
    receipt: 'Receipt',
    credit_note: 'Credit note',
    date: 'Date',
    order: 'Order',
    payment: 'Payment reference',
    seller: 'Seller',
    supplier: 'Supplier',
    buyer: 'Buyer',
    vat_id: 'VAT ID',
    item: 'Item',
    amount: 'Amount',
    pack: (credits) => `Bonuses: ${credits}`,
    plan: (months, credits) => `Months: ${months}, bonuses in total: ${credits}`,
    refund: (order) => `Refund of the order ${order}`,
    unpaid: 'Part of the price that was not paid',
    before_tax: 'Amount before tax',
    tax: 'Tax',
    total: 'Total',
    total_refunded: 'Total refunded',
    further: (receipt) => `A further payment for this order, in addition to the receipt ${receipt}.`,
    no_tax: 'The payment provider reported no tax.',
    resold: (reseller) =>
      `The seller of record is ${reseller}, which sold as a reseller and charged the tax. Its invoice is the document for your taxes.`,
    invoice: 'Invoice of the reseller',
    pdf: 'Download as PDF',
  },
  uk: {
    receipt: 'Квитанція',
    credit_note: 'Кредит-нота',
    date: 'Дата',
    order: 'Замовлення',
    payment: 'Номер платежу',
    seller: 'Продавець',
    supplier: 'Постачальник',
    buyer: 'Покупець',
    vat_id: 'Номер платника ПДВ',
    item: 'Найменування',
    amount: 'Сума',
    pack: (credits) => `Бонусів: ${credits}`,
    plan: (months, credits) => `Місяців: ${months}, бонусів загалом: ${credits}`,
    refund: (order) => `Повернення коштів за замовлення ${order}`,
    unpaid: 'Неоплачена частина ціни',
    before_tax: 'Сума без податку',
    tax: 'Податок',
    total: 'Разом',
    total_refunded: 'Разом повернено',
    further: (receipt) => `Додатковий платіж за це замовлення, крім квитанції ${receipt}.`,
    no_tax: 'Платіжний сервіс не повідомив про податок.',
    resold: (reseller) =>
      `Продавцем є ${reseller}, що продає як реселер і стягнув податок. Документом для обліку податків є його рахунок.`,
    invoice: 'Рахунок реселера',
    pdf: 'Завантажити PDF',
  },
  ru: {
    receipt: 'Квитанция',
    credit_note: 'Кредит-нота',
    date: 'Дата',
    order: 'Заказ',
    payment: 'Номер платежа',
    seller: 'Продавец',
    supplier: 'Поставщик',
    buyer: 'Покупатель',
    vat_id: 'Номер плательщика НДС',
    item: 'Наименование',
    amount: 'Сумма',
    pack: (credits) => `Бонусов: ${credits}`,
    plan: (months, credits) => `Месяцев: ${months}, бонусов всего: ${credits}`,
    refund: (order) => `Возврат средств за заказ ${order}`,
    unpaid: 'Неоплаченная часть цены',
    before_tax: 'Сумма без налога',
    tax: 'Налог',
    total: 'Итого',
    total_refunded: 'Итого возвращено',
    further: (receipt) => `Дополнительный платеж за этот заказ, помимо квитанции ${receipt}.`,
    no_tax: 'Платежный сервис не сообщил о налоге.',
    resold: (reseller) =>
      `Продавцом является ${reseller}, который продает как реселлер и взыскал налог. Документом для учета налогов является его счет.`,
    invoice: 'Счет реселлера',
    pdf: 'Скачать PDF',
  },
}
