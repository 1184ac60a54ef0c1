import { formatDate } from '../../orders/rules/confirmation-email.ts'
import type { Locale } from '../../platform/http/rules/locale.ts'

/** What a statement of withdrawal names: who, from which contract, and of when. */
export interface Withdrawing {
  order_id: string
  item_name: string
  ordered_at: number
  name: string | null
  email: string
}

/** The declaration by which a person withdraws from an order, in the words the law suggests for it. */
export function writeStatement(of: Withdrawing, locale: Locale): string {
  const { order_id, item_name, email } = of
  const date = formatDate(of.ordered_at, locale)
  const who = of.name === null ? email : `${of.name} (${email})`
  // Dates in Ukrainian and Russian end by the full stop of "year" already.
  switch (locale) {
    case 'en':
      return `I, ${who}, hereby withdraw from my contract for ${item_name}, order ${order_id}, placed on ${date}.`
    case 'uk':
      return `Я, ${who}, відмовляюся від договору на ${item_name}, замовлення ${order_id} від ${date}`
    case 'ru':
      return `Я, ${who}, отказываюсь от договора на ${item_name}, заказ ${order_id} от ${date}`
  }
}
