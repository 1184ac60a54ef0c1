import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import type { Account } from '../../../client/src/index.ts'
import { useAccount } from '../../api/account.ts'
import { media } from '../../api/media.ts'
import { signOut } from '../../api/session.ts'
import { Button } from '../../design/button.tsx'
import { Dialog } from '../../design/dialog.tsx'
import { TextField } from '../../design/field.tsx'
import { Form } from '../../design/form.tsx'
import { PasswordField } from '../../design/password-field.tsx'
import { showToast } from '../../design/toasts.tsx'
import { defineTexts } from '../../text/define-texts.ts'
import { Panel } from '../panel.tsx'

const texts = defineTexts({
  en: {
    title: 'Delete the account',
    lead: 'All bonuses, keys, links and files are lost. Nothing is paid back: request a refund first if one is due.',
    button: 'Delete the account…',
    warning: 'This cannot be undone.',
    confirm: (email: string) => `To confirm, enter ${email}`,
    password: 'Password',
    submit: 'Delete the account for good',
    done: 'The account is deleted.',
  },
  uk: {
    title: 'Видалити обліковий запис',
    lead: 'Усі бонуси, ключі, посилання й файли буде втрачено. Гроші не повертаються: якщо вам належить повернення, спершу подайте запит.',
    button: 'Видалити обліковий запис…',
    warning: 'Скасувати це неможливо.',
    confirm: (email: string) => `Щоб підтвердити, введіть ${email}`,
    password: 'Пароль',
    submit: 'Видалити остаточно',
    done: 'Обліковий запис видалено.',
  },
  ru: {
    title: 'Удалить аккаунт',
    lead: 'Все бонусы, ключи, ссылки и файлы будут потеряны. Деньги не возвращаются: если вам положен возврат, сначала подайте запрос.',
    button: 'Удалить аккаунт…',
    warning: 'Отменить это нельзя.',
    confirm: (email: string) => `Чтобы подтвердить, введите ${email}`,
    password: 'Пароль',
    submit: 'Удалить навсегда',
    done: 'Аккаунт удален.',
  },
})

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
  async function deleteAccount({
    confirm,
    current_password,
  }: Record<'confirm' | 'current_password', string>) {
    await media.value.auth.deleteAccount(has_password ? { confirm, current_password } : { confirm })
    signOut()
    showToast(t.done)
    route('/')
  }
  return (
    <Dialog title={t.title} onClose={onClose}>
      <Form fields={['confirm', 'current_password']} submit={deleteAccount}>
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
            <Button type="submit" look="danger" isWide isBusy={isBusy}>
              {t.submit}
            </Button>
          </>
        )}
      </Form>
    </Dialog>
  )
}
