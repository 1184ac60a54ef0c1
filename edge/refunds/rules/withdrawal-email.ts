import type { Locale } from '../../../shared/text/texts.ts'
import { formatDate } from '../../emails/rules/formats.ts'

/** The facts that a statement of withdrawal contains. */
export interface Withdrawing {
  order_id: string
  item_name: string
  ordered_at: number
  name: string | null
  email: string
}

/** Writes the statement with which a customer withdraws from an order, in the wording of the statutory model form. */
export function writeStatement(of: Withdrawing, locale: Locale): string {
  const { order_id, item_name, email } = of
  const date = formatDate(of.ordered_at, locale)
  const who = of.name === null ? email : `${of.name} (${email})`
  // Ukrainian and Russian dates already end with the period of the abbreviation for "year".
  switch (locale) {
    case 'en':
      return `I, ${who}, hereby withdraw from my contract for ${item_name}, order ${order_id}, placed on ${date}.`
    case 'uk':
      return `Я, ${who}, відмовляюся від договору на ${item_name}, замовлення ${order_id} від ${date}`
    case 'ru':
      return `Я, ${who}, отказываюсь от договора на ${item_name}, заказ ${order_id} от ${date}`
  }
}
