import { LogIn } from 'lucide-preact'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { useConfig } from '../api/config.ts'
import { media } from '../api/media.ts'
import { Button } from '../design/button.tsx'
import { ErrorNotice, Skeleton } from '../design/surfaces.tsx'
import { defineTexts } from '../text/define-texts.ts'
import styles from './auth-page.module.css'

const texts = defineTexts({
  en: { or: 'or', proceed: 'Continue with single sign-on' },
  uk: { or: 'або', proceed: 'Увійти через єдиний вхід (SSO)' },
  ru: { or: 'или', proceed: 'Войти через единый вход (SSO)' },
})

interface ProviderButtonProps {
  mode: 'login' | 'link'
  /** Path of this site at which to continue. */
  next: string
  /** Confirms a link. */
  current_password?: string
  children?: ComponentChildren
}

/** Starts a sign-in at the identity provider, or the link of the account to it. */
export function ProviderButton({ mode, next, current_password, children }: ProviderButtonProps) {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  async function start() {
    setBusy(true)
    setError(null)
    try {
      const { authorization_url } = await media.value.auth.startSignIn({
        ...{ mode, next },
        ...(current_password && { current_password }),
      })
      location.assign(authorization_url)
    } catch (thrown) {
      setError(thrown)
      setBusy(false)
    }
  }
  return (
    <div class={styles.provider}>
      <Button isWide={mode === 'login'} isBusy={isBusy} onClick={start}>
        <LogIn size={18} aria-hidden />
        {children ?? texts().proceed}
      </Button>
      {error !== null && <ErrorNotice error={error} />}
    </div>
  )
}

/** The sign-in at the identity provider below a form, if the service offers it. */
export function ProviderSignIn({ next }: { next: string }) {
  const config = useConfig()
  if (config.isPending) return <Skeleton height="6.25rem" />
  if (!config.data?.idp_auth_enabled) return null
  return (
    <>
      <p class={styles.or}>{texts().or}</p>
      <ProviderButton mode="login" next={next} />
    </>
  )
}
