import type { Locale } from '../locale.ts'
import { type Letter, setLetter } from './letter.ts'
import { formatDate, formatMoney } from './order-confirmation.ts'

/** A charge that comes, one that failed, or the end of both. */
export interface RenewalLetter {
  status: 'notice' | 'failed' | 'cancelled'
  plan_name: string
  amount_cents: number
  currency: string
  /** `notice`: when it is charged; otherwise: until when the plan runs as things stand. */
  at: number
}

type Status = RenewalLetter['status']

interface Words {
  greeting: string
  subject: Record<Status, (plan: string) => string>
  lead: Record<Status, (plan: string) => string>
  paragraphs: Record<Status, (said: { amount: string; site: string }) => string[]>
}

const WORDS: Record<Locale, Words> = {
  en: {
    greeting: 'Hello,',
    subject: {
      notice: (plan) => `Your plan ${plan} renews soon`,
      failed: (plan) => `The payment for your plan ${plan} did not go through`,
      cancelled: (plan) => `Your plan ${plan} does not renew any more`,
    },
    lead: {
      notice: (plan) => `Your plan ${plan} renews itself on`,
      failed: (plan) => `We could not charge you for the next term of your plan ${plan}. It stays open until`,
      cancelled: (plan) => `The renewal of your plan ${plan} is cancelled. It runs until`,
    },
    paragraphs: {
      notice: ({ amount, site }) => [
        `${amount} is charged then, before tax, the way you paid before.`,
        `If you do not want that, choose "Cancel renewal" under Billing at ${site} before that day. What you have paid for stays yours.`,
      ],
      failed: ({ amount }) => [
        `The payment provider tries again by itself to charge ${amount}. Please see that your card is in order.`,
        'No new bonuses are delivered until the payment succeeds. If it does not succeed by then, the plan ends.',
      ],
      cancelled: () => [
        'Nothing is charged again by itself. Months that you have paid for are delivered as before.',
      ],
    },
  },
  uk: {
    greeting: 'Вітаємо!',
    subject: {
      notice: (plan) => `Ваш тариф ${plan} незабаром поновиться`,
      failed: (plan) => `Платіж за тариф ${plan} не пройшов`,
      cancelled: (plan) => `Ваш тариф ${plan} більше не поновлюється`,
    },
    lead: {
      notice: (plan) => `Ваш тариф ${plan} поновиться сам:`,
      failed: (plan) => `Нам не вдалося списати плату за наступний строк тарифу ${plan}. Він діє до:`,
      cancelled: (plan) => `Поновлення тарифу ${plan} скасовано. Він діє до:`,
    },
    paragraphs: {
      notice: ({ amount, site }) => [
        `Тоді буде списано ${amount} без податку, тим самим способом, що й раніше.`,
        `Якщо ви цього не хочете, виберіть до того дня «Скасувати поновлення» в розділі «Оплата» на ${site}. Усе, за що ви заплатили, залишиться вашим.`,
      ],
      failed: ({ amount }) => [
        `Платіжний сервіс сам спробує ще раз списати ${amount}. Перевірте, будь ласка, чи з вашою карткою все гаразд.`,
        'Доки платіж не пройде, нові бонуси не надходять; якщо він не пройде до цього дня, тариф закінчиться.',
      ],
      cancelled: () => [
        'Більше нічого не буде списано автоматично. Оплачені місяці надходитимуть, як і раніше.',
      ],
    },
  },
  ru: {
    greeting: 'Здравствуйте!',
    subject: {
      notice: (plan) => `Ваш тариф ${plan} скоро продлится`,
      failed: (plan) => `Платёж за тариф ${plan} не прошёл`,
      cancelled: (plan) => `Ваш тариф ${plan} больше не продлевается`,
    },
    lead: {
      notice: (plan) => `Ваш тариф ${plan} продлится сам:`,
      failed: (plan) => `Нам не удалось списать плату за следующий срок тарифа ${plan}. Он действует до:`,
      cancelled: (plan) => `Продление тарифа ${plan} отменено. Он действует до:`,
    },
    paragraphs: {
      notice: ({ amount, site }) => [
        `Тогда будет списано ${amount} без налога, тем же способом, что и раньше.`,
        `Если вы этого не хотите, выберите до этого дня «Отменить продление» в разделе «Оплата» на ${site}. Всё, за что вы заплатили, останется вашим.`,
      ],
      failed: ({ amount }) => [
        `Платёжный сервис сам попробует ещё раз списать ${amount}. Проверьте, пожалуйста, всё ли в порядке с вашей картой.`,
        'Пока платёж не пройдёт, новые бонусы не приходят; если он не пройдёт до этого дня, тариф закончится.',
      ],
      cancelled: () => [
        'Больше ничего не будет списано автоматически. Оплаченные месяцы будут приходить, как и раньше.',
      ],
    },
  },
}

/** Before a renewal, after one that failed, and after a cancellation. Specification: Events, 5. */
export function writeRenewalLetter(renewal: RenewalLetter, locale: Locale, site: string): Letter {
  const words = WORDS[locale]
  const { status, plan_name } = renewal
  const amount = formatMoney(renewal.amount_cents, renewal.currency, locale)
  return setLetter(
    {
      subject: words.subject[status](plan_name),
      greeting: words.greeting,
      lead: words.lead[status](plan_name),
      highlight: formatDate(renewal.at, locale),
      paragraphs: words.paragraphs[status]({ amount, site }),
    },
    locale,
    site,
  )
}
