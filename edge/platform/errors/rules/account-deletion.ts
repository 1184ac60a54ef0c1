import type { Locale } from '../../../../shared/text/texts.ts'
import { type ErrorEntry, withFacts } from './entry.ts'

export interface Money {
  amount_cents: number
  currency: string
}

/** What a deletion would forfeit. `amount_cents` and `currency` are undefined if there are several currencies. */
export interface RefundDue {
  totals: readonly Money[]
  amount_cents: number | undefined
  currency: string | undefined
  refunds: readonly (Money & {
    order_id: string
    item_name: string
    reason: string
    payout_manual: boolean
  })[]
  choices: readonly string[]
}

const listMoney = (totals: readonly Money[], locale: Locale) =>
  totals
    .map(({ amount_cents, currency }) =>
      new Intl.NumberFormat(locale, { style: 'currency', currency, currencyDisplay: 'code' }).format(
        amount_cents / 100,
      ),
    )
    .join(' + ')

/** Errors for the deletion of accounts. */
export const DELETION_ERRORS = {
  last_administrator: {
    status: 409,
    detail: {
      en: 'This is the last administrator. Make another account an administrator first.',
      uk: 'Це останній адміністратор. Спочатку зробіть адміністратором інший обліковий запис.',
      ru: 'Это последний администратор. Сначала сделайте администратором другую учетную запись.',
    },
    help: {
      en: 'Make another account an administrator first.',
      uk: 'Спочатку зробіть адміністратором інший обліковий запис.',
      ru: 'Сначала сделайте администратором другую учетную запись.',
    },
  },
  payment_in_progress: {
    status: 409,
    detail: {
      en: 'A payment for this account is still in progress. Try again when it is complete.',
      uk: 'Платіж за цим обліковим записом ще триває. Повторіть, коли він завершиться.',
      ru: 'Платеж по этой учетной записи еще не завершен. Повторите, когда он завершится.',
    },
    help: {
      en: 'Wait until the list of payments shows a final status, or contact support.',
      uk: 'Дочекайтеся остаточного статусу в списку платежів або зверніться до служби підтримки.',
      ru: 'Дождитесь окончательного статуса в списке платежей или обратитесь в службу поддержки.',
    },
  },
  refund_due: withFacts({
    status: 409,
    shape: 'object',
    param: 'refund',
    fields: ['amount_cents', 'currency', 'refunds', 'choices'],
    detail: {
      en: ({ totals }: RefundDue) =>
        `${listMoney(totals, 'en')} can be paid back for what is unused. Choose to have it refunded, or to give it up.`,
      uk: ({ totals }) =>
        `За невикористане можна повернути ${listMoney(totals, 'uk')}. Виберіть повернення або відмовтеся від нього.`,
      ru: ({ totals }) =>
        `За неиспользованное можно вернуть ${listMoney(totals, 'ru')}. Выберите возврат или откажитесь от него.`,
    },
    example: {
      totals: [{ amount_cents: 1350, currency: 'USD' }],
      amount_cents: 1350,
      currency: 'USD',
      refunds: [
        {
          ...{ order_id: 'O-7D1F-4A52', item_name: 'Starter', amount_cents: 1350, currency: 'USD' },
          ...{ reason: 'withdrawal', payout_manual: false },
        },
      ],
      choices: ['request', 'waive'],
    },
    help: {
      en: 'Repeat the request with refund: "request" to have the amount refunded, or "waive" to give it up.',
      uk: 'Повторіть запит із refund: "request", щоб повернути суму, або "waive", щоб відмовитися від неї.',
      ru: 'Повторите запрос с refund: "request", чтобы вернуть сумму, или "waive", чтобы отказаться от нее.',
    },
  }),
  account_deleted: {
    status: 409,
    detail: {
      en: 'The account was deleted by its owner and cannot be changed. Use another account.',
      uk: 'Обліковий запис видалено його власником, і змінити його неможливо. Використайте інший.',
      ru: 'Учетная запись удалена ее владельцем, и изменить ее невозможно. Используйте другую.',
    },
    help: {
      en: 'Nothing can be done: a deletion cannot be undone.',
      uk: 'Зробити нічого не можна: видалення не скасовується.',
      ru: 'Ничего сделать нельзя: удаление не отменяется.',
    },
  },
} as const satisfies Record<string, ErrorEntry>
