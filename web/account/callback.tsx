import { useEffect, useState } from 'preact/hooks'
import { rememberAccount } from '../api/account.ts'
import { media } from '../api/media.ts'
import { beginSession, isSignedIn } from '../api/session.ts'
import { LinkButton } from '../design/button.tsx'
import { ErrorNotice, Notice, ProgressBar } from '../design/surfaces.tsx'
import { showToast } from '../design/toasts.tsx'
import { provider_answer } from '../shell/link-secret.ts'
import { useReplacePage } from '../shell/navigation.ts'
import { defineTexts } from '../text/define-texts.ts'
import { chosenLocale } from '../text/locale.ts'
import { AuthPage } from './auth-page.tsx'

const texts = defineTexts({
  en: {
    title: 'Signing in…',
    not_signed_in: 'You are not signed in',
    not_linked: 'The identity was not linked',
    welcome: 'Welcome. Your account is ready.',
    linked: 'The identity is linked.',
    again: 'Sign in again',
    account: 'Back to your account',
    start_again: 'Start the sign-in again.',
    sign_in_first: 'This browser is not signed in. Sign in first, then link the identity again.',
    access_denied: 'You did not allow the identity provider to share your identity.',
    temporarily_unavailable: 'The identity provider is temporarily unavailable. Try again later.',
    server_error: 'The identity provider reported an error. Try again later.',
    rejected: 'The identity provider rejected the sign-in. Start again.',
  },
  uk: {
    title: 'Виконується вхід…',
    not_signed_in: 'Ви не ввійшли',
    not_linked: 'Обліковий запис не пов’язано',
    welcome: 'Вітаємо. Обліковий запис готовий.',
    linked: 'Обліковий запис пов’язано.',
    again: 'Увійти ще раз',
    account: 'До облікового запису',
    start_again: 'Почніть вхід спочатку.',
    sign_in_first: 'У цьому браузері ви не ввійшли. Спершу ввійдіть, а потім повторіть зв’язування.',
    access_denied: 'Ви не дозволили постачальнику передати ваші дані.',
    temporarily_unavailable: 'Постачальник ідентифікації тимчасово недоступний. Спробуйте пізніше.',
    server_error: 'Постачальник ідентифікації повідомив про помилку. Спробуйте пізніше.',
    rejected: 'Постачальник ідентифікації відхилив вхід. Почніть спочатку.',
  },
  ru: {
    title: 'Выполняется вход…',
    not_signed_in: 'Вы не вошли',
    not_linked: 'Аккаунт не связан',
    welcome: 'Добро пожаловать. Аккаунт готов.',
    linked: 'Аккаунт связан.',
    again: 'Войти еще раз',
    account: 'К аккаунту',
    start_again: 'Начните вход сначала.',
    sign_in_first: 'В этом браузере вы не вошли. Сначала войдите, затем повторите связывание.',
    access_denied: 'Вы не разрешили поставщику передать ваши данные.',
    temporarily_unavailable: 'Поставщик удостоверений временно недоступен. Попробуйте позже.',
    server_error: 'Поставщик удостоверений сообщил об ошибке. Попробуйте позже.',
    rejected: 'Поставщик удостоверений отклонил вход. Начните сначала.',
  },
})

/** Errors of the provider with texts of their own: an attacker could put any other text into the address. */
const REASONS = ['access_denied', 'temporarily_unavailable', 'server_error'] as const
type Reason = (typeof REASONS)[number] | 'rejected' | 'start_again' | 'sign_in_first'

/** What the provider has answered: a reason for which there is nothing to send, or the answer to send. */
function readAnswer(): Reason | { code: string; state: string } {
  const error = provider_answer.get('error')
  if (error !== null) return REASONS.find((known) => known === error) ?? 'rejected'
  const [code, state] = [provider_answer.get('code'), provider_answer.get('state')]
  if (!code || !state) return 'start_again'
  return isLinking && !isSignedIn.value ? 'sign_in_first' : { code, state }
}

/** The state cannot be forged, since the service compares all of it. */
const isLinking = provider_answer.get('state')?.startsWith('link.') ?? false

/** Finishes a sign-in at the identity provider, or links the identity to the account of the session. */
export default function Callback() {
  const t = texts()
  const replacePage = useReplacePage()
  const [failure, setFailure] = useState<Reason | Error | null>(null)

  useEffect(() => {
    const answer = readAnswer()
    // Each answer can be used once.
    for (const name of [...provider_answer.keys()]) provider_answer.delete(name)
    if (typeof answer === 'string') return setFailure(answer)
    finish(answer).then(replacePage, setFailure)
  }, [])

  if (failure === null) {
    return (
      <AuthPage title={t.title}>
        <ProgressBar fraction={null} label={t.title} />
      </AuthPage>
    )
  }
  return (
    <AuthPage title={isLinking ? t.not_linked : t.not_signed_in}>
      {typeof failure === 'string' ? (
        <Notice kind="bad">{t[failure]}</Notice>
      ) : (
        <ErrorNotice error={failure} />
      )}
      {isLinking && isSignedIn.value ? (
        <LinkButton href="/account/security">{t.account}</LinkButton>
      ) : (
        <LinkButton href="/sign-in">{t.again}</LinkButton>
      )}
    </AuthPage>
  )
}

/** @returns the path at which to continue */
async function finish(answer: { code: string; state: string }): Promise<string> {
  const { auth } = media.value
  if (isLinking) {
    const { next, ...account } = await auth.linkIdentity(answer)
    rememberAccount(account)
    showToast(texts().linked)
    return next
  }
  const locale = chosenLocale()
  const signed_in = await auth.finishSignIn({ ...answer, ...(locale !== null && { locale }) })
  beginSession(signed_in)
  if (signed_in.created) showToast(texts().welcome)
  return signed_in.next
}
