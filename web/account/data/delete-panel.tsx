import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { type Account, MediaError } from '../../../client/src/index.ts'
import { useAccount } from '../../api/account.ts'
import { media } from '../../api/media.ts'
import { signOut } from '../../api/session.ts'
import { Button } from '../../design/button.tsx'
import { Dialog } from '../../design/dialog.tsx'
import { FieldGroup, TextField } from '../../design/field.tsx'
import { Form } from '../../design/form.tsx'
import { PasswordField } from '../../design/password-field.tsx'
import { showToast } from '../../design/toasts.tsx'
import { defineTexts } from '../../text/define-texts.ts'
import styles from '../panel.module.css'
import { Panel } from '../panel.tsx'

const texts = defineTexts({
  en: {
    title: 'Delete the account',
    lead: 'All bonuses, keys, links and files are lost. If money can be paid back for unused bonuses, you are asked first.',
    button: 'Delete the account…',
    warning: 'This cannot be undone.',
    confirm: (email: string) => `To confirm, enter ${email}`,
    password: 'Password',
    submit: 'Delete the account for good',
    done: 'The account is deleted.',
    due: 'What happens to the money?',
    request: 'Pay it back',
    waive: 'Give it up',
  },
  uk: {
    title: 'Видалити обліковий запис',
    lead: 'Усі бонуси, ключі, посилання й файли буде втрачено. Якщо за невикористані бонуси можна повернути гроші, ми спершу запитаємо.',
    button: 'Видалити обліковий запис…',
    warning: 'Скасувати це неможливо.',
    confirm: (email: string) => `Щоб підтвердити, введіть ${email}`,
    password: 'Пароль',
    submit: 'Видалити остаточно',
    done: 'Обліковий запис видалено.',
    due: 'Що зробити з грошима?',
    request: 'Повернути їх',
    waive: 'Відмовитися від них',
  },
  ru: {
    title: 'Удалить аккаунт',
    lead: 'Все бонусы, ключи, ссылки и файлы будут потеряны. Если за неиспользованные бонусы можно вернуть деньги, мы сначала спросим.',
    button: 'Удалить аккаунт…',
    warning: 'Отменить это нельзя.',
    confirm: (email: string) => `Чтобы подтвердить, введите ${email}`,
    password: 'Пароль',
    submit: 'Удалить навсегда',
    done: 'Аккаунт удален.',
    due: 'Что сделать с деньгами?',
    request: 'Вернуть их',
    waive: 'Отказаться от них',
  },
})

const CHOICES = ['request', 'waive'] as const
const FIELDS = ['confirm', 'current_password', 'refund'] as const

export function DeletePanel() {
  const t = texts()
  const account = useAccount().data
  const [isAsking, setAsking] = useState(false)
  return (
    <Panel title={t.title} lead={t.lead}>
      <div>
        <Button look="danger" disabled={account === undefined} onClick={() => setAsking(true)}>
          {t.button}
        </Button>
      </div>
      {isAsking && account && <DeleteDialog account={account} onClose={() => setAsking(false)} />}
    </Panel>
  )
}

function DeleteDialog({ account, onClose }: { account: Account; onClose: () => void }) {
  const t = texts()
  const { route } = useLocation()
  const { email, has_password } = account
  /** What would be paid back; null until the service has said so. */
  const [due, setDue] = useState<string | null>(null)
  async function deleteAccount(values: Record<(typeof FIELDS)[number], string>) {
    const { confirm, current_password } = values
    const refund = CHOICES.find((choice) => choice === values.refund)
    try {
      await media.value.auth.deleteAccount({
        confirm,
        ...(has_password && { current_password }),
        ...(refund && { refund }),
      })
    } catch (error) {
      if (!(error instanceof MediaError && error.code === 'refund_due')) throw error
      return setDue(error.message)
    }
    signOut()
    showToast(t.done)
    route('/')
  }
  return (
    <Dialog title={t.title} onClose={onClose}>
      <Form fields={FIELDS} submit={deleteAccount}>
        {({ faults, isBusy }) => (
          <>
            <p>{t.warning}</p>
            <TextField
              label={t.confirm(email)}
              name="confirm"
              type="email"
              autocomplete="off"
              maxLength={254}
              required
              fault={faults.confirm}
            />
            {has_password && (
              <PasswordField
                label={t.password}
                name="current_password"
                autocomplete="current-password"
                maxLength={256}
                fault={faults.current_password}
              />
            )}
            {due !== null && (
              <FieldGroup label={t.due} hint={due}>
                {CHOICES.map((choice) => (
                  <label key={choice} class={styles.choice}>
                    <input type="radio" name="refund" value={choice} required />
                    {t[choice]}
                  </label>
                ))}
              </FieldGroup>
            )}
            <Button type="submit" look="danger" isWide isBusy={isBusy}>
              {t.submit}
            </Button>
          </>
        )}
      </Form>
    </Dialog>
  )
}
