import { LockKeyhole } from 'lucide-preact'
import { type ComponentChildren, Fragment } from 'preact'
import { useLocation } from 'preact-iso'
import { session } from '../api/session.ts'
import { LinkButton } from '../design/button.tsx'
import { EmptyState } from '../design/surfaces.tsx'
import { withNext } from '../shell/next-path.ts'
import { useTitle } from '../shell/title.ts'
import { defineTexts } from '../text/define-texts.ts'

const texts = defineTexts({
  en: {
    title: 'Sign in to continue',
    text: 'This page belongs to an account. After you sign in, you return here.',
    sign_in: 'Sign in',
  },
  uk: {
    title: 'Увійдіть, щоб продовжити',
    text: 'Ця сторінка належить обліковому запису. Після входу ви повернетеся сюди.',
    sign_in: 'Увійти',
  },
  ru: {
    title: 'Войдите, чтобы продолжить',
    text: 'Эта страница относится к аккаунту. После входа вы вернетесь сюда.',
    sign_in: 'Войти',
  },
})

/**
 * Shows a page only with a session, and otherwise where to sign in: also when the session has just ended. The page
 * starts over for another session, so that it shows nothing of the one before.
 */
export function SignedIn({ children }: { children: ComponentChildren }) {
  const { value } = session
  return value === null ? <SignInFirst /> : <Fragment key={value.access_token}>{children}</Fragment>
}

/** Says that a page needs a session, and where to sign in. */
export function SignInFirst() {
  const t = texts()
  useTitle(t.title)
  const { url } = useLocation()
  return (
    <main id="content" tabIndex={-1}>
      <EmptyState
        icon={<LockKeyhole size={40} aria-hidden />}
        title={t.title}
        isPage
        action={
          <LinkButton look="primary" href={withNext('/sign-in', url)}>
            {t.sign_in}
          </LinkButton>
        }
      >
        {t.text}
      </EmptyState>
    </main>
  )
}
