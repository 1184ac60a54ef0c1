import { useState } from 'preact/hooks'
import { MediaError } from '../../client/src/index.ts'
import { media } from '../api/media.ts'
import { beginSession } from '../api/session.ts'
import { Button, LinkButton } from '../design/button.tsx'
import { CheckField } from '../design/field.tsx'
import { Form } from '../design/form.tsx'
import { Notice } from '../design/surfaces.tsx'
import { forgetLinkSecret, useLinkSecret } from '../shell/link-secret.ts'
import { defineTexts } from '../text/define-texts.ts'
import { AuthPage } from './auth-page.tsx'
import { NewPasswordField } from './fields.tsx'

const texts = defineTexts({
  en: {
    title: 'Set a new password',
    submit: 'Set the password',
    done: (email: string) => `The password of ${email} is set, and you are signed in.`,
    everywhere: 'All other sessions have ended.',
    unusable: 'This link is unknown, was already used, or has expired.',
    request: 'Request a new link',
    studio: 'Open the studio',
    keys: 'Also delete all API keys',
    keysHint: 'For example if someone else had access. Programs that use them stop working.',
    blocked: 'The account is blocked. Contact support.',
  },
  uk: {
    title: 'Новий пароль',
    submit: 'Задати пароль',
    done: (email: string) => `Пароль для ${email} задано, ви ввійшли.`,
    everywhere: 'Усі інші сеанси завершено.',
    unusable: 'Посилання невідоме, вже використане або застаріле.',
    request: 'Отримати нове посилання',
    studio: 'Відкрити студію',
    keys: 'Також видалити всі ключі API',
    keysHint: 'Наприклад, якщо доступ мав хтось інший. Програми з цими ключами перестануть працювати.',
    blocked: 'Обліковий запис заблоковано. Зверніться до підтримки.',
  },
  ru: {
    title: 'Новый пароль',
    submit: 'Задать пароль',
    done: (email: string) => `Пароль для ${email} задан, вы вошли.`,
    everywhere: 'Все остальные сеансы завершены.',
    unusable: 'Ссылка неизвестна, уже использована или устарела.',
    request: 'Получить новую ссылку',
    studio: 'Открыть студию',
    keys: 'Также удалить все ключи API',
    keysHint: 'Например, если доступ был у кого-то другого. Программы с этими ключами перестанут работать.',
    blocked: 'Аккаунт заблокирован. Обратитесь в поддержку.',
  },
})

type Outcome = { kind: 'done'; email: string } | { kind: 'unusable' | 'blocked' }

/** Sets a new password by an emailed link, whose token is in the fragment of the address. */
export default function ResetPassword() {
  const { secret, opened } = useLinkSecret()
  return <ResetByLink key={opened} token={secret} />
}

function ResetByLink({ token }: { token: string }) {
  const t = texts()
  const [outcome, setOutcome] = useState<Outcome | null>(null)

  async function setPassword({
    new_password,
    delete_api_keys,
  }: Record<'new_password' | 'delete_api_keys', string>) {
    try {
      const answer = await media.value.auth.resetPassword({
        ...{ token, new_password },
        delete_api_keys: delete_api_keys === 'on',
      })
      beginSession(answer)
      forgetLinkSecret()
      setOutcome({ kind: 'done', email: answer.user.email })
    } catch (error) {
      const code = error instanceof MediaError ? error.code : null
      if (code === 'password_reset_link_invalid') return setOutcome({ kind: 'unusable' })
      if (code === 'account_blocked') return setOutcome({ kind: 'blocked' })
      throw error
    }
  }

  const shown = outcome ?? (token === '' ? { kind: 'unusable' as const } : null)
  return (
    <AuthPage title={t.title}>
      {shown?.kind === 'done' && (
        <>
          <Notice kind="good" help={t.everywhere}>
            {t.done(shown.email)}
          </Notice>
          <LinkButton href="/studio">{t.studio}</LinkButton>
        </>
      )}
      {shown?.kind === 'unusable' && (
        <>
          <Notice kind="bad">{t.unusable}</Notice>
          <LinkButton href="/forgot-password">{t.request}</LinkButton>
        </>
      )}
      {shown?.kind === 'blocked' && <Notice kind="bad">{t.blocked}</Notice>}
      {shown === null && (
        <Form fields={['new_password', 'delete_api_keys']} submit={setPassword}>
          {({ faults, isBusy }) => (
            <>
              <NewPasswordField fault={faults.new_password} />
              <CheckField label={t.keys} hint={t.keysHint} name="delete_api_keys" />
              <Button type="submit" look="primary" isWide isBusy={isBusy}>
                {t.submit}
              </Button>
            </>
          )}
        </Form>
      )}
    </AuthPage>
  )
}
