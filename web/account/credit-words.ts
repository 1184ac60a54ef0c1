import type { Balance, LedgerRow } from '../../client/src/index.ts'
import { defineTexts } from '../text/define-texts.ts'

type EntryType = LedgerRow['entry_type'] | Balance['grants'][number]['entry_type']

const words = defineTexts({
  en: {
    daily_free: 'Daily free bonuses',
    signup_bonus: 'Welcome bonuses',
    subscription: 'Plan',
    purchase: 'Pack',
    adjust: 'Granted by the team',
    debit: 'Job',
    refund: 'Refund of a job',
    expire: 'Expired',
  },
  uk: {
    daily_free: 'Щоденні безкоштовні бонуси',
    signup_bonus: 'Вітальні бонуси',
    subscription: 'Тариф',
    purchase: 'Пакет',
    adjust: 'Нараховано командою',
    debit: 'Завдання',
    refund: 'Повернення за завдання',
    expire: 'Термін дії минув',
  },
  ru: {
    daily_free: 'Ежедневные бесплатные бонусы',
    signup_bonus: 'Приветственные бонусы',
    subscription: 'Тариф',
    purchase: 'Пакет',
    adjust: 'Начислено командой',
    debit: 'Задание',
    refund: 'Возврат за задание',
    expire: 'Срок действия истек',
  },
})

/** Returns the name of a kind of ledger entry or grant. */
export function nameEntry(type: EntryType): string {
  return words()[type]
}
