import type { Locale } from '../../../shared/text/texts.ts'
import type { Block } from '../../emails/rules/content.ts'
import { formatMoment } from '../../emails/rules/formats.ts'

export interface WithdrawalNotice {
  order_id: string
  deadline: number
  /** Public URL of the service. */
  url: string
  seller: { name: string; address: string; email: string | null }
}

interface Phrases {
  right: (deadline: string) => string
  function: string
  form: string
  /** The model form of Directive 2011/83/EU, Annex I (B). */
  model: (seller: string, order_id: string) => readonly string[]
  rules: string
}

const PHRASES: Record<Locale, Phrases> = {
  en: {
    right: (deadline) =>
      `As a consumer, you can withdraw from this purchase without giving a reason until ${deadline} (UTC). If you do, we pay back the share of the price for what you have not used. Use the page below, or send us a clear declaration in time. You can use this form, but you do not have to.`,
    function: 'Withdraw from contract here',
    form: 'Model withdrawal form',
    model: (seller, order_id) => [
      `To ${seller}:`,
      `I/We (*) hereby give notice that I/We (*) withdraw from my/our (*) contract for the provision of the following service: order ${order_id}`,
      'Ordered on:',
      'Name of the consumer(s):',
      'Address of the consumer(s):',
      'Signature of the consumer(s) (only if this form is sent on paper):',
      'Date:',
      '(*) Delete as appropriate.',
    ],
    rules: 'Refunds and withdrawal',
  },
  uk: {
    right: (deadline) =>
      `Як споживач ви можете відмовитися від цієї покупки без пояснення причин до такого часу: ${deadline} (UTC). Тоді ми повернемо частку ціни за те, чого ви не використали. Скористайтеся сторінкою нижче або вчасно надішліть нам чітку заяву. Можна скористатися цією формою, але це не обов’язково.`,
    function: 'Відмовитися від договору тут',
    form: 'Зразок форми для відмови',
    model: (seller, order_id) => [
      `Кому: ${seller}`,
      `Цим я/ми (*) повідомляю/повідомляємо (*) про відмову від укладеного мною/нами (*) договору про надання такої послуги: замовлення ${order_id}`,
      'Замовлено (дата):',
      'Ім’я споживача (споживачів):',
      'Адреса споживача (споживачів):',
      'Підпис споживача (споживачів), лише якщо форма надсилається на папері:',
      'Дата:',
      '(*) Непотрібне закреслити.',
    ],
    rules: 'Повернення коштів і відмова',
  },
  ru: {
    right: (deadline) =>
      `Как потребитель вы можете отказаться от этой покупки без объяснения причин до такого времени: ${deadline} (UTC). Тогда мы вернем долю цены за то, что вы не использовали. Воспользуйтесь страницей ниже или вовремя отправьте нам ясное заявление. Можно воспользоваться этой формой, но это не обязательно.`,
    function: 'Отказаться от договора здесь',
    form: 'Образец формы для отказа',
    model: (seller, order_id) => [
      `Кому: ${seller}`,
      `Настоящим я/мы (*) уведомляю/уведомляем (*) об отказе от заключенного мной/нами (*) договора об оказании следующей услуги: заказ ${order_id}`,
      'Заказано (дата):',
      'Имя потребителя (потребителей):',
      'Адрес потребителя (потребителей):',
      'Подпись потребителя (потребителей), только если форма отправляется на бумаге:',
      'Дата:',
      '(*) Ненужное зачеркнуть.',
    ],
    rules: 'Возврат средств и отказ',
  },
}

/** Writes the right of withdrawal: its deadline, the page by which it is used, and the model form. */
export function withdrawalNotice(
  { order_id, deadline, url, seller }: WithdrawalNotice,
  locale: Locale,
): Block[] {
  const words = PHRASES[locale]
  const to = [seller.name, ...seller.address.split('\n'), seller.email].filter(Boolean).join(', ')
  const page = `${url}/billing/withdraw?lang=${locale}&order_id=${encodeURIComponent(order_id)}`
  return [
    words.right(formatMoment(deadline, locale)),
    { link: { label: words.function, url: page } },
    `${words.form}:`,
    { quote: words.model(to, order_id).join('\n\n') },
    { link: { label: words.rules, url: `${url}/refunds?lang=${locale}` } },
  ]
}
