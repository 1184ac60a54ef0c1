import { useConfig } from '../../api/config.ts'
import { isSignedIn } from '../../api/session.ts'
import { Notice } from '../../design/surfaces.tsx'
import { defineTexts } from '../../text/define-texts.ts'
import { type CountForms, formatClock, formatCount, formatNumber } from '../../text/format.ts'
import { formatCredits } from '../../text/format-credits.ts'
import styles from './quote-line.module.css'
import type { Total } from './sum-quotes.ts'

const texts = defineTexts({
  en: {
    about: (credits: string) => `About ${credits}`,
    range: (most: string, balance: string) => `at most ${most} · you have ${balance}`,
    pending: 'Estimating the price',
    missing: (credits: string) => `You need ${credits} more to start.`,
    buy: 'Get bonuses',
    too_long: (clock: string) => `Some of these files are longer than your plan allows (${clock}).`,
    free: 'Free without an account',
    limits: (minutes: string, jobs: string, hours: string) =>
      `Up to ${minutes} of video, ${jobs} at a time. Results are kept for ${hours}.`,
    minutes: (value: number) => count(value, { one: '# minute', other: '# minutes' }),
    jobs: (value: number) => count(value, { one: '# file', other: '# files' }),
    hours: (value: number) => count(value, { one: '# hour', other: '# hours' }),
  },
  uk: {
    about: (credits: string) => `Приблизно ${credits}`,
    range: (most: string, balance: string) => `щонайбільше ${most} · у вас ${balance}`,
    pending: 'Оцінюємо вартість',
    missing: (credits: string) => `Щоб почати, потрібно ще ${credits}.`,
    buy: 'Поповнити баланс',
    too_long: (clock: string) => `Деякі файли довші, ніж дозволяє ваш тариф (${clock}).`,
    free: 'Безкоштовно без облікового запису',
    limits: (minutes: string, jobs: string, hours: string) =>
      `Відео до ${minutes}, одночасно ${jobs}. Результати зберігаються ${hours}.`,
    minutes: (value: number) => count(value, { one: '# хвилини', other: '# хвилин' }),
    jobs: (value: number) => count(value, { one: '# файл', few: '# файли', other: '# файлів' }),
    hours: (value: number) => count(value, { one: '# годину', few: '# години', other: '# годин' }),
  },
  ru: {
    about: (credits: string) => `Примерно ${credits}`,
    range: (most: string, balance: string) => `не больше ${most} · у вас ${balance}`,
    pending: 'Оцениваем стоимость',
    missing: (credits: string) => `Чтобы начать, нужно еще ${credits}.`,
    buy: 'Пополнить баланс',
    too_long: (clock: string) => `Некоторые файлы длиннее, чем позволяет ваш тариф (${clock}).`,
    free: 'Бесплатно без аккаунта',
    limits: (minutes: string, jobs: string, hours: string) =>
      `Видео до ${minutes}, одновременно ${jobs}. Результаты хранятся ${hours}.`,
    minutes: (value: number) => count(value, { one: '# минуты', other: '# минут' }),
    jobs: (value: number) => count(value, { one: '# файл', few: '# файла', other: '# файлов' }),
    hours: (value: number) => count(value, { one: '# час', few: '# часа', other: '# часов' }),
  },
})

function count(value: number, forms: CountForms): string {
  return formatCount(value, forms)
}

/** What a start costs: credits with a session, nothing without one. Its height never changes. */
export function QuoteLine({ total, isPending }: { total: Total | null; isPending: boolean }) {
  return (
    <div class={styles.quote} role="status">
      {isSignedIn.value ? <Price total={total} isPending={isPending} /> : <FreeLimits />}
    </div>
  )
}

function Price({ total, isPending }: { total: Total | null; isPending: boolean }) {
  const t = texts()
  if (total === null) return isPending ? <strong>{t.pending}</strong> : null
  return (
    <>
      <strong>{t.about(formatCredits(total.estimated_credits))}</strong>
      <span>{t.range(formatNumber(total.max_credits), formatNumber(total.balance))}</span>
    </>
  )
}

/** Contract: Public endpoints, Public config. */
function FreeLimits() {
  const t = texts()
  const { data } = useConfig()
  const { input_max_minutes, in_flight_max, files_live_hours } = data?.anonymous ?? {}
  return (
    <>
      <strong>{t.free}</strong>
      <span>
        {input_max_minutes !== undefined &&
          t.limits(t.minutes(input_max_minutes), t.jobs(in_flight_max ?? 0), t.hours(files_live_hours ?? 0))}
      </span>
    </>
  )
}

const MISSING_ID = 'missing-credits'

/** Returns the attributes of a start that the balance does not cover: it keeps the focus and names the reason. */
export function refuseUnpaid(total: Total | null) {
  if (total === null || !isSignedIn.value || total.missing_credits === 0) return {}
  return { 'aria-disabled': true, 'aria-describedby': MISSING_ID, onClick: undefined }
}

/** What prevents a start, although the settings are valid. */
export function QuoteWarnings({ total }: { total: Total | null }) {
  const t = texts()
  if (total === null || !isSignedIn.value) return null
  const { missing_credits, too_long, max_duration_seconds } = total
  return (
    <>
      {missing_credits > 0 && (
        <div id={MISSING_ID}>
          <Notice kind="bad" action={<a href="/#prices">{t.buy}</a>}>
            {t.missing(formatCredits(missing_credits))}
          </Notice>
        </div>
      )}
      {too_long > 0 && <Notice kind="bad">{t.too_long(formatClock(max_duration_seconds ?? 0))}</Notice>}
    </>
  )
}
