import { useMutation, useQuery } from '@tanstack/preact-query'
import { useEffect, useState } from 'preact/hooks'
import { rememberAccount, useAccount } from '../../api/account.ts'
import { useConfig } from '../../api/config.ts'
import { media, queries } from '../../api/media.ts'
import { Button } from '../../design/button.tsx'
import { TextField } from '../../design/field.tsx'
import { Form } from '../../design/form.tsx'
import { ErrorNotice, Skeleton } from '../../design/surfaces.tsx'
import { showToast } from '../../design/toasts.tsx'
import { defineTexts } from '../../text/define-texts.ts'
import { formatClock } from '../../text/format.ts'
import { formatCredits } from '../../text/format-credits.ts'
import { Panel } from '../panel.tsx'
import styles from './overview.module.css'

const texts = defineTexts({
  en: {
    title: 'Confirm your email address',
    lead: (email: string) => `We send a code of six digits to ${email}.`,
    bonus: (credits: string) => `You get ${credits} for it.`,
    send: 'Send the code',
    resend: 'Send a new code',
    wait: (clock: string) => `Send a new code in ${clock}`,
    code: 'Code from the email',
    confirm: 'Confirm',
    done: (credits: string) => `The address is confirmed. You received ${credits}.`,
    done_plain: 'The address is confirmed.',
  },
  uk: {
    title: 'Підтвердьте електронну адресу',
    lead: (email: string) => `Ми надішлемо код із шести цифр на ${email}.`,
    bonus: (credits: string) => `За це ви отримаєте ${credits}.`,
    send: 'Надіслати код',
    resend: 'Надіслати новий код',
    wait: (clock: string) => `Новий код — через ${clock}`,
    code: 'Код із листа',
    confirm: 'Підтвердити',
    done: (credits: string) => `Адресу підтверджено. Ви отримали ${credits}.`,
    done_plain: 'Адресу підтверджено.',
  },
  ru: {
    title: 'Подтвердите электронный адрес',
    lead: (email: string) => `Мы отправим код из шести цифр на ${email}.`,
    bonus: (credits: string) => `За это вы получите ${credits}.`,
    send: 'Отправить код',
    resend: 'Отправить новый код',
    wait: (clock: string) => `Новый код — через ${clock}`,
    code: 'Код из письма',
    confirm: 'Подтвердить',
    done: (credits: string) => `Адрес подтвержден. Вы получили ${credits}.`,
    done_plain: 'Адрес подтвержден.',
  },
})

/** Confirms the email address by a code; nothing once it is confirmed. */
export function EmailPanel() {
  const account = useAccount()
  const isOffered = useConfig().data?.email_verification_enabled
  return account.data && !account.data.email_verified && isOffered ? <Confirmation /> : null
}

function Confirmation() {
  const t = texts()
  const status = useQuery({
    queryKey: ['email-status'],
    queryFn: () => media.value.auth.getEmailStatus(),
  })
  const sending = useMutation({
    mutationFn: () => media.value.auth.sendEmailCode(),
    onSuccess: (sent) => queries.setQueryData(['email-status'], sent),
  })
  const wait_seconds = useCountdown(status.data?.resend_available_in ?? 0, status.dataUpdatedAt)

  async function confirm({ code }: { code: string }) {
    const { granted_credits } = await media.value.auth.verifyEmail({ code: code.replaceAll(/\s/g, '') })
    showToast(granted_credits > 0 ? t.done(formatCredits(granted_credits)) : t.done_plain)
    rememberAccount(await media.value.auth.me())
    await queries.invalidateQueries({ queryKey: ['balance'] })
  }

  if (status.data === undefined) {
    return (
      <Panel title={t.title}>
        {status.error ? <ErrorNotice error={status.error} /> : <Skeleton height="6rem" />}
      </Panel>
    )
  }
  const { email, code_pending, verify_bonus_credits } = status.data
  const bonus = verify_bonus_credits > 0 ? ` ${t.bonus(formatCredits(verify_bonus_credits))}` : ''
  return (
    <Panel title={t.title} lead={t.lead(email) + bonus}>
      {sending.error && <ErrorNotice error={sending.error} />}
      {code_pending && (
        <Form fields={['code']} submit={confirm}>
          {({ faults, isBusy }) => (
            <div class={styles.code}>
              <TextField
                label={t.code}
                name="code"
                inputMode="numeric"
                autocomplete="one-time-code"
                pattern="\s*(\d\s*){6}"
                maxLength={12}
                required
                fault={faults.code}
              />
              <Button type="submit" look="primary" isBusy={isBusy}>
                {t.confirm}
              </Button>
            </div>
          )}
        </Form>
      )}
      <div>
        <Button
          look={code_pending ? 'plain' : 'primary'}
          isBusy={sending.isPending}
          disabled={wait_seconds > 0}
          onClick={() => sending.mutate()}
        >
          {wait_seconds > 0 ? t.wait(formatClock(wait_seconds)) : code_pending ? t.resend : t.send}
        </Button>
      </div>
    </Panel>
  )
}

/** Counts seconds down to 0 from a value that was read at a time. */
function useCountdown(seconds: number, read_at_ms: number): number {
  const [now, setNow] = useState(Date.now())
  const left = Math.ceil(seconds - (now - read_at_ms) / 1000)
  useEffect(() => {
    setNow(Date.now())
    if (seconds <= 0) return
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [seconds, read_at_ms])
  return Math.min(seconds, Math.max(0, left))
}
