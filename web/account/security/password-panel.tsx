import { rememberAccount, useAccount } from '../../api/account.ts'
import { media } from '../../api/media.ts'
import { Button } from '../../design/button.tsx'
import { Form } from '../../design/form.tsx'
import { PasswordField } from '../../design/password-field.tsx'
import { Skeleton } from '../../design/surfaces.tsx'
import { showToast } from '../../design/toasts.tsx'
import { defineTexts } from '../../text/define-texts.ts'
import { NewPasswordField } from '../fields.tsx'
import { Panel } from '../panel.tsx'

const texts = defineTexts({
  en: {
    title: 'Password',
    change: 'A change ends all other sessions.',
    first: 'The account has no password yet. With one, you can also sign in by email.',
    current: 'Current password',
    submit: 'Change the password',
    set: 'Set the password',
    done: 'The password is set. All other sessions have ended.',
  },
  uk: {
    title: 'Пароль',
    change: 'Зміна пароля завершує всі інші сеанси.',
    first: 'В облікового запису ще немає пароля. З ним можна входити й за електронною адресою.',
    current: 'Поточний пароль',
    submit: 'Змінити пароль',
    set: 'Задати пароль',
    done: 'Пароль задано. Усі інші сеанси завершено.',
  },
  ru: {
    title: 'Пароль',
    change: 'Смена пароля завершает все остальные сеансы.',
    first: 'У аккаунта пока нет пароля. С ним можно входить и по электронному адресу.',
    current: 'Текущий пароль',
    submit: 'Сменить пароль',
    set: 'Задать пароль',
    done: 'Пароль задан. Все остальные сеансы завершены.',
  },
})

/** Changes the password, or sets the first one of an account that was created at the identity provider. */
export function PasswordPanel() {
  const t = texts()
  const account = useAccount().data
  if (account === undefined) return <Skeleton height="20rem" />
  const { has_password, email } = account
  async function change(values: Record<'current_password' | 'new_password', string>, form: HTMLFormElement) {
    const { new_password, current_password } = values
    const request = has_password ? { new_password, current_password } : { new_password }
    rememberAccount(await media.value.auth.setPassword(request))
    form.reset()
    showToast(t.done)
  }
  return (
    <Panel title={t.title} lead={has_password ? t.change : t.first}>
      <Form fields={['current_password', 'new_password']} submit={change}>
        {({ faults, isBusy }) => (
          <>
            {/* Names the account for password managers. */}
            <input
              class="visually-hidden"
              type="text"
              name="username"
              autocomplete="username"
              value={email}
              readOnly
              tabIndex={-1}
              aria-hidden
            />
            {has_password && (
              <PasswordField
                label={t.current}
                name="current_password"
                autocomplete="current-password"
                maxLength={256}
                fault={faults.current_password}
              />
            )}
            <NewPasswordField fault={faults.new_password} />
            <div>
              <Button type="submit" isBusy={isBusy}>
                {has_password ? t.submit : t.set}
              </Button>
            </div>
          </>
        )}
      </Form>
    </Panel>
  )
}
