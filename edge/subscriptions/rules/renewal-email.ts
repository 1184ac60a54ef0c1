import type { Locale } from '../../../shared/text/texts.ts'
import type { EmailContent } from '../../emails/rules/content.ts'
import { formatDate, formatMoney } from '../../emails/rules/formats.ts'
import { cancelLink } from './cancel-link.ts'

/**
 * Kinds of renewal email: an upcoming charge, a failed charge, and the end of the renewal. `failed_prepaid`: the
 * charge failed while paid months remain. `blocked`: the mandate was ended because the account is blocked. `ended`: the
 * plan ended because its renewal was not paid.
 */
export const RENEWAL_EMAILS = ['notice', 'failed', 'failed_prepaid', 'cancelled', 'blocked', 'ended'] as const

export interface RenewalEmail {
  status: (typeof RENEWAL_EMAILS)[number]
  plan_name: string
  amount_cents: number
  currency: string
  /** For `notice`, the date of the charge; for all other kinds, the end of the plan. */
  at: number
  /** For `failed_prepaid`, the time until which the provider retries. */
  retries_until?: number | undefined
  /** For `notice`, the URL that cancels the renewal. */
  cancel_url: string | null
  /** For a failed charge, the page that changes the payment method. */
  payment_method_url: string | null
}

type Status = RenewalEmail['status']

interface Words {
  greeting: string
  subject: Record<Status, (plan: string) => string>
  lead: Record<Status, (plan: string) => string>
  paragraphs: Record<Status, (facts: { amount: string; retries: string }) => string[]>
  update: string
}

const WORDS: Record<Locale, Words> = {
  en: {
    greeting: 'Hello,',
    subject: {
      notice: (plan) => `Your plan ${plan} renews soon`,
      failed: (plan) => `The payment for your plan ${plan} did not go through`,
      failed_prepaid: (plan) => `The payment for your plan ${plan} did not go through`,
      cancelled: (plan) => `Your plan ${plan} no longer renews`,
      blocked: (plan) => `Your plan ${plan} no longer renews`,
      ended: (plan) => `Your plan ${plan} has ended`,
    },
    lead: {
      notice: (plan) => `Your plan ${plan} renews automatically on`,
      failed: (plan) =>
        `We could not charge you for the next term of your plan ${plan}. It stays active until`,
      failed_prepaid: (plan) =>
        `We could not charge you for the renewal of your plan ${plan}. With the months you have paid for, it runs until`,
      cancelled: (plan) => `The renewal of your plan ${plan} is canceled. It runs until`,
      blocked: (plan) =>
        `Your account is blocked, so we canceled the renewal of your plan ${plan}. It is paid until`,
      ended: (plan) => `The renewal of your plan ${plan} was not paid, so the plan ended on`,
    },
    paragraphs: {
      notice: ({ amount }) => [
        `On that day, ${amount} before tax is charged to the payment method that you used before.`,
        'To avoid this charge, cancel the renewal before that day. You keep what you have paid for.',
      ],
      failed: ({ amount }) => [
        `The payment provider retries the charge of ${amount} before tax automatically. Please check your card or change it.`,
        'No new bonuses are delivered until the payment succeeds. If it does not succeed by then, the plan ends.',
      ],
      failed_prepaid: ({ amount, retries }) => [
        `The payment provider retries the charge of ${amount} before tax until ${retries}. Please check your card or change it.`,
        'The months you have paid for are delivered as before. If the payment does not succeed, the plan does not renew after them.',
      ],
      cancelled: () => [
        'Nothing more is charged automatically. Months you have paid for are delivered as before.',
      ],
      blocked: () => [
        'Nothing more is charged. If you think your account was blocked by mistake, contact support.',
      ],
      ended: () => [
        'Nothing more is charged. The bonuses of the plan have expired, and other bonuses stay in your account.',
        'You can buy a plan again at any time.',
      ],
    },
    update: 'Change the payment method',
  },
  uk: {
    greeting: 'Вітаємо!',
    subject: {
      notice: (plan) => `Ваш тариф ${plan} незабаром поновиться`,
      failed: (plan) => `Платіж за тариф ${plan} не пройшов`,
      failed_prepaid: (plan) => `Платіж за тариф ${plan} не пройшов`,
      cancelled: (plan) => `Ваш тариф ${plan} більше не поновлюється`,
      blocked: (plan) => `Ваш тариф ${plan} більше не поновлюється`,
      ended: (plan) => `Ваш тариф ${plan} закінчився`,
    },
    lead: {
      notice: (plan) => `Ваш тариф ${plan} поновиться сам:`,
      failed: (plan) => `Нам не вдалося списати плату за наступний строк тарифу ${plan}. Він діє до:`,
      failed_prepaid: (plan) =>
        `Нам не вдалося списати плату за поновлення тарифу ${plan}. З уже оплаченими місяцями він діє до:`,
      cancelled: (plan) => `Поновлення тарифу ${plan} скасовано. Він діє до:`,
      blocked: (plan) =>
        `Ваш обліковий запис заблоковано, тому ми скасували поновлення тарифу ${plan}. Він оплачений до:`,
      ended: (plan) => `Поновлення тарифу ${plan} не оплачено, тому тариф закінчився:`,
    },
    paragraphs: {
      notice: ({ amount }) => [
        `Тоді буде списано ${amount} без податку, тим самим способом, що й раніше.`,
        'Якщо ви цього не хочете, скасуйте поновлення до того дня. Усе, за що ви заплатили, залишиться вашим.',
      ],
      failed: ({ amount }) => [
        `Платіжний сервіс сам спробує ще раз списати ${amount} без податку. Перевірте, будь ласка, чи з вашою карткою все гаразд, або змініть її.`,
        'Доки платіж не пройде, нові бонуси не надходять; якщо він не пройде до цього дня, тариф закінчиться.',
      ],
      failed_prepaid: ({ amount, retries }) => [
        `Платіжний сервіс пробуватиме списати ${amount} без податку до ${retries}, тож перевірте, будь ласка, свою картку або змініть її.`,
        'Оплачені місяці надходитимуть, як і раніше. Якщо платіж не пройде, після них тариф не поновиться.',
      ],
      cancelled: () => [
        'Більше нічого не буде списано автоматично. Оплачені місяці надходитимуть, як і раніше.',
      ],
      blocked: () => [
        'Більше нічого не буде списано. Якщо обліковий запис заблоковано помилково, напишіть до підтримки.',
      ],
      ended: () => [
        'Більше нічого не буде списано. Строк бонусів тарифу минув, інші бонуси залишаються на вашому рахунку.',
        'Тариф можна купити знову будь-коли.',
      ],
    },
    update: 'Змінити спосіб оплати',
  },
  ru: {
    greeting: 'Здравствуйте!',
    subject: {
      notice: (plan) => `Ваш тариф ${plan} скоро продлится`,
      failed: (plan) => `Платеж за тариф ${plan} не прошел`,
      failed_prepaid: (plan) => `Платеж за тариф ${plan} не прошел`,
      cancelled: (plan) => `Ваш тариф ${plan} больше не продлевается`,
      blocked: (plan) => `Ваш тариф ${plan} больше не продлевается`,
      ended: (plan) => `Ваш тариф ${plan} закончился`,
    },
    lead: {
      notice: (plan) => `Ваш тариф ${plan} продлится сам:`,
      failed: (plan) => `Нам не удалось списать плату за следующий срок тарифа ${plan}. Он действует до:`,
      failed_prepaid: (plan) =>
        `Нам не удалось списать плату за продление тарифа ${plan}. С уже оплаченными месяцами он действует до:`,
      cancelled: (plan) => `Продление тарифа ${plan} отменено. Он действует до:`,
      blocked: (plan) =>
        `Ваш аккаунт заблокирован, поэтому мы отменили продление тарифа ${plan}. Он оплачен до:`,
      ended: (plan) => `Продление тарифа ${plan} не оплачено, поэтому тариф закончился:`,
    },
    paragraphs: {
      notice: ({ amount }) => [
        `Тогда будет списано ${amount} без налога, тем же способом, что и раньше.`,
        'Если вы этого не хотите, отмените продление до этого дня. Все, за что вы заплатили, останется вашим.',
      ],
      failed: ({ amount }) => [
        `Платежный сервис сам попробует еще раз списать ${amount} без налога. Проверьте, пожалуйста, все ли в порядке с вашей картой, или смените ее.`,
        'Пока платеж не пройдет, новые бонусы не приходят; если он не пройдет до этого дня, тариф закончится.',
      ],
      failed_prepaid: ({ amount, retries }) => [
        `Платежный сервис будет пробовать списать ${amount} без налога до ${retries}, поэтому проверьте, пожалуйста, свою карту или смените ее.`,
        'Оплаченные месяцы будут приходить, как и раньше. Если платеж не пройдет, после них тариф не продлится.',
      ],
      cancelled: () => [
        'Больше ничего не будет списано автоматически. Оплаченные месяцы будут приходить, как и раньше.',
      ],
      blocked: () => [
        'Больше ничего не будет списано. Если аккаунт заблокирован по ошибке, напишите в поддержку.',
      ],
      ended: () => [
        'Больше ничего не будет списано. Срок бонусов тарифа истек, другие бонусы остаются на вашем счете.',
        'Тариф можно купить снова в любое время.',
      ],
    },
    update: 'Сменить способ оплаты',
  },
}

/** Writes the email about an upcoming, failed or ended renewal. Contract: Notifications, Emails. */
export function writeRenewalEmail(renewal: RenewalEmail, locale: Locale): EmailContent {
  const words = WORDS[locale]
  const { status, plan_name, payment_method_url: url } = renewal
  const amount = formatMoney(renewal.amount_cents, renewal.currency, locale)
  return {
    subject: words.subject[status](plan_name),
    greeting: words.greeting,
    blocks: [
      words.lead[status](plan_name),
      { figure: formatDate(renewal.at, locale) },
      ...words.paragraphs[status]({
        amount,
        retries: formatDate(renewal.retries_until ?? renewal.at, locale),
      }),
      ...(url === null ? [] : [{ button: { label: words.update, url } }]),
      ...cancelLink(renewal.cancel_url, locale),
    ],
  }
}
