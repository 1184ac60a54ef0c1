import { useMutation } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { rememberAccount, useAccount } from '../../api/account.ts'
import { useConfig } from '../../api/config.ts'
import { media } from '../../api/media.ts'
import { Button } from '../../design/button.tsx'
import { PasswordField } from '../../design/password-field.tsx'
import { ErrorNotice } from '../../design/surfaces.tsx'
import { showToast } from '../../design/toasts.tsx'
import { defineTexts } from '../../text/define-texts.ts'
import { Panel } from '../panel.tsx'
import { ProviderButton } from '../provider-button.tsx'

const texts = defineTexts({
  en: {
    title: 'Single sign-on',
    linked: 'You can sign in with the identity provider.',
    unlinked: 'Link an identity to sign in without a password.',
    link: 'Link an identity',
    unlink: 'Unlink',
    done: 'The identity is unlinked.',
    only: 'To unlink the identity, set a password first.',
    current: 'Current password',
  },
  uk: {
    title: 'Єдиний вхід (SSO)',
    linked: 'Ви можете входити через постачальника ідентифікації.',
    unlinked: 'Пов’яжіть обліковий запис, щоб входити без пароля.',
    link: 'Пов’язати',
    unlink: 'Скасувати зв’язок',
    done: 'Зв’язок скасовано.',
    only: 'Щоб скасувати зв’язок, спершу задайте пароль.',
    current: 'Поточний пароль',
  },
  ru: {
    title: 'Единый вход (SSO)',
    linked: 'Вы можете входить через поставщика удостоверений.',
    unlinked: 'Свяжите аккаунт, чтобы входить без пароля.',
    link: 'Связать',
    unlink: 'Отменить связь',
    done: 'Связь отменена.',
    only: 'Чтобы отменить связь, сначала задайте пароль.',
    current: 'Текущий пароль',
  },
})

/** Links the account to the identity provider, if the service offers one, and unlinks it. */
export function IdentityPanel() {
  const t = texts()
  const account = useAccount().data
  const isOffered = useConfig().data?.idp_auth_enabled
  const [password, setPassword] = useState('')
  const unlinking = useMutation({
    mutationFn: () => media.value.auth.unlinkIdentity(password === '' ? {} : { current_password: password }),
    onSuccess: (changed) => {
      rememberAccount(changed)
      setPassword('')
      showToast(t.done)
    },
  })
  if (account === undefined || !(isOffered || account.idp_linked)) return null
  const passwordField = account.has_password && (
    <PasswordField
      label={t.current}
      name="identity_password"
      autocomplete="current-password"
      maxLength={256}
      value={password}
      onInput={(event) => setPassword(event.currentTarget.value)}
    />
  )
  if (!account.idp_linked) {
    return (
      <Panel title={t.title} lead={t.unlinked}>
        {passwordField}
        <ProviderButton mode="link" next="/account/security" current_password={password}>
          {t.link}
        </ProviderButton>
      </Panel>
    )
  }
  return (
    <Panel title={t.title} lead={account.has_password ? t.linked : `${t.linked} ${t.only}`}>
      {passwordField}
      {unlinking.error && <ErrorNotice error={unlinking.error} />}
      <div>
        <Button
          disabled={!account.has_password}
          isBusy={unlinking.isPending}
          onClick={() => unlinking.mutate()}
        >
          {t.unlink}
        </Button>
      </div>
    </Panel>
  )
}
