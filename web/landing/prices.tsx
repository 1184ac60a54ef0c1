import { useQuery } from '@tanstack/preact-query'
import type { PublicConfig } from '../../client/src/index.ts'
import { useConfig } from '../api/config.ts'
import { media } from '../api/media.ts'
import { isSignedIn } from '../api/session.ts'
import { LinkButton } from '../design/button.tsx'
import { ErrorNotice, Skeleton } from '../design/surfaces.tsx'
import { defineTexts } from '../text/define-texts.ts'
import { formatCredits } from '../text/format-credits.ts'
import { locale } from '../text/locale.ts'
import styles from './landing.module.css'
import { Offers } from './offers.tsx'
import { Section } from './section.tsx'

const texts = defineTexts({
  en: {
    title: 'Prices',
    tariff: (base: string, extra: string, max: string) =>
      `Every operation costs ${base} for the first minute of processing and ${extra} for each further minute that starts, at most ${max}.`,
    flat: (base: string) => `Every operation costs ${base}.`,
    refund: 'A job that fails is refunded in full.',
    bonus: (credits: string) => `You get ${credits} once for confirming your email address.`,
    sign_up: 'Create an account',
  },
  uk: {
    title: 'Ціни',
    tariff: (base: string, extra: string, max: string) =>
      `Будь-яка операція коштує ${base} за першу хвилину обробки та ${extra} за кожну наступну розпочату, але не більше ніж ${max}.`,
    flat: (base: string) => `Будь-яка операція коштує ${base}.`,
    refund: 'Якщо завдання не вдалося, повертаємо все.',
    bonus: (credits: string) => `За підтвердження електронної адреси ви одноразово отримаєте ${credits}.`,
    sign_up: 'Створити обліковий запис',
  },
  ru: {
    title: 'Цены',
    tariff: (base: string, extra: string, max: string) =>
      `Любая операция стоит ${base} за первую минуту обработки и ${extra} за каждую следующую начатую, но не больше ${max}.`,
    flat: (base: string) => `Любая операция стоит ${base}.`,
    refund: 'Если задание не удалось, возвращаем все.',
    bonus: (credits: string) => `За подтверждение электронной почты вы один раз получите ${credits}.`,
    sign_up: 'Создать аккаунт',
  },
})

/** How work is charged, and what is on sale. */
export function Prices() {
  const t = texts()
  const { data: config } = useConfig()
  const { data: pricing, error } = useQuery({
    queryKey: ['pricing', locale.value],
    queryFn: () => media.value.billing.getPricing(),
    staleTime: 300_000,
  })
  return (
    <Section
      anchor="prices"
      title={t.title}
      lead={config ? describeTariff(config) : <Skeleton height="3rem" />}
    >
      {error && <ErrorNotice error={error} />}
      {pricing === undefined ? !error && <Skeleton height="24rem" /> : <Offers pricing={pricing} />}
      {!isSignedIn.value && config?.registration_enabled && (
        <div class={styles.action}>
          <LinkButton look="primary" href="/sign-up">
            {t.sign_up}
          </LinkButton>
          {config.verify_bonus_credits > 0 && <p>{t.bonus(formatCredits(config.verify_bonus_credits))}</p>}
        </div>
      )}
    </Section>
  )
}

function describeTariff({ billing }: PublicConfig): string {
  const t = texts()
  const base = formatCredits(billing.time_tariff_base_credits)
  if (!billing.time_tariff_enabled) return `${t.flat(base)} ${t.refund}`
  const extra = formatCredits(billing.time_tariff_per_extra_minute_credits)
  return `${t.tariff(base, extra, formatCredits(billing.time_tariff_max_credits))} ${t.refund}`
}
