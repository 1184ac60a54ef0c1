import { useLocation } from 'preact-iso'
import { throttled_until_ms } from '../api/media.ts'
import { isSignedIn } from '../api/session.ts'
import { Button, LinkButton } from '../design/button.tsx'
import { Notice } from '../design/surfaces.tsx'
import { withNext } from '../shell/next-path.ts'
import { defineTexts } from '../text/define-texts.ts'
import { formatCount } from '../text/format.ts'
import { useSecondsUntil } from './use-seconds-until.ts'
import { inputs } from './workspace/items.ts'
import { adoptRuns, listHeld, postponed } from './workspace/run-items.ts'
import { needsSignIn } from './workspace/upload-items.ts'

const texts = defineTexts({
  en: {
    ended: (runs: string) =>
      `Your session has ended. Sign in again: ${runs} of your account will then continue.`,
    sign_in: 'Sign in',
    limited: (count: number) =>
      formatCount(count, {
        one: '# file was not uploaded: it needs an account. Sign in, and its upload continues.',
        other: '# files were not uploaded: they need an account. Sign in, and their upload continues.',
      }),
    free: (runs: string) =>
      `${runs} started without an account. Continue with your account, and its bonuses?`,
    adopt: 'Continue with my account',
    runs: (count: number) => formatCount(count, { one: '# waiting job', other: '# waiting jobs' }),
    busy: 'Other jobs of yours are open. These continue when one of them ends.',
    limit:
      'You have reached the number of requests that are allowed per minute. The work continues by itself',
    unreachable: 'The service cannot be reached. The work waits, and continues by itself',
    in: (seconds: number) => formatCount(seconds, { one: ' in # second.', other: ' in # seconds.' }),
  },
  uk: {
    ended: (runs: string) =>
      `Сеанс завершився. Увійдіть знову, і ${runs} вашого облікового запису продовжать виконуватися.`,
    sign_in: 'Увійти',
    limited: (count: number) =>
      formatCount(count, {
        one: '# файл не завантажено: для нього потрібен обліковий запис. Увійдіть, і завантаження продовжиться.',
        few: '# файли не завантажено: для них потрібен обліковий запис. Увійдіть, і завантаження продовжиться.',
        many: '# файлів не завантажено: для них потрібен обліковий запис. Увійдіть, і завантаження продовжиться.',
        other:
          '# файлу не завантажено: для нього потрібен обліковий запис. Увійдіть, і завантаження продовжиться.',
      }),
    free: (runs: string) =>
      `Ви запустили ${runs} без облікового запису. Продовжити з вашим обліковим записом, за його бонуси?`,
    adopt: 'Продовжити з моїм записом',
    runs: (count: number) =>
      formatCount(count, { one: '# завдання', few: '# завдання', many: '# завдань', other: '# завдання' }),
    busy: 'Виконуються інші ваші завдання. Ці продовжаться, коли одне з них завершиться.',
    limit: 'Вичерпано кількість запитів за хвилину. Робота продовжиться сама',
    unreachable: 'Не вдається зв’язатися із сервісом. Робота чекає й продовжиться сама',
    in: (seconds: number) =>
      formatCount(seconds, {
        one: ' через # секунду.',
        few: ' через # секунди.',
        many: ' через # секунд.',
        other: ' через # секунди.',
      }),
  },
  ru: {
    ended: (runs: string) =>
      `Сеанс завершился. Войдите снова, и ${runs} вашего аккаунта продолжат выполняться.`,
    sign_in: 'Войти',
    limited: (count: number) =>
      formatCount(count, {
        one: '# файл не загружен: для него нужен аккаунт. Войдите, и загрузка продолжится.',
        few: '# файла не загружены: для них нужен аккаунт. Войдите, и загрузка продолжится.',
        many: '# файлов не загружены: для них нужен аккаунт. Войдите, и загрузка продолжится.',
        other: '# файла не загружены: для них нужен аккаунт. Войдите, и загрузка продолжится.',
      }),
    free: (runs: string) => `Вы запустили ${runs} без аккаунта. Продолжить с вашим аккаунтом, за его бонусы?`,
    adopt: 'Продолжить с моим аккаунтом',
    runs: (count: number) =>
      formatCount(count, { one: '# задание', few: '# задания', many: '# заданий', other: '# задания' }),
    busy: 'Выполняются другие ваши задания. Эти продолжатся, когда одно из них завершится.',
    limit: 'Исчерпано количество запросов в минуту. Работа продолжится сама',
    unreachable: 'Не удается связаться с сервисом. Работа ждет и продолжится сама',
    in: (seconds: number) =>
      formatCount(seconds, {
        one: ' через # секунду.',
        few: ' через # секунды.',
        many: ' через # секунд.',
        other: ' через # секунды.',
      }),
  },
})

/** Says why runs wait although their files are uploaded, and what ends the wait. */
export function DelayNotice() {
  return (
    <>
      <HeldRuns />
      <LimitedUploads />
      <Countdown />
    </>
  )
}

/** Runs of another user are neither sent as those of a visitor nor charged to the next account. */
function HeldRuns() {
  const t = texts()
  const { url } = useLocation()
  const held = listHeld()
  if (held.length === 0) return null
  if (!isSignedIn.value) {
    return (
      <Notice kind="bad" action={<LinkButton href={withNext('/sign-in', url)}>{t.sign_in}</LinkButton>}>
        {t.ended(t.runs(held.length))}
      </Notice>
    )
  }
  return (
    <Notice action={<Button onClick={adoptRuns}>{t.adopt}</Button>}>{t.free(t.runs(held.length))}</Notice>
  )
}

/** One notice for all files: with a folder, each of them is refused. */
function LimitedUploads() {
  const t = texts()
  const { url } = useLocation()
  const count = inputs.value.filter(needsSignIn).length
  if (count === 0 || isSignedIn.value) return null
  return (
    <Notice kind="bad" action={<LinkButton href={withNext('/sign-in', url)}>{t.sign_in}</LinkButton>}>
      {t.limited(count)}
    </Notice>
  )
}

function Countdown() {
  const t = texts()
  const { reason, until_ms } = postponed.value ?? { reason: 'limit', until_ms: throttled_until_ms.value }
  const seconds = useSecondsUntil(until_ms)
  if (seconds === 0) return null
  if (reason === 'busy') return <Notice>{t.busy}</Notice>
  return (
    <Notice>
      {t[reason]}
      {/* Screen readers would announce every second. */}
      <span aria-hidden>{t.in(seconds)}</span>
    </Notice>
  )
}
