import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { media } from '../api/media.ts'
import { Button } from '../design/button.tsx'
import { Form } from '../design/form.tsx'
import { Notice } from '../design/surfaces.tsx'
import { readNext, withNext } from '../shell/next-path.ts'
import { defineTexts } from '../text/define-texts.ts'
import { type CountForms, formatCount } from '../text/format.ts'
import { AuthPage } from './auth-page.tsx'
import { useCaptcha } from './captcha.tsx'
import { EmailField } from './fields.tsx'

const texts = defineTexts({
  en: {
    title: 'Forgot your password?',
    lead: 'Enter the email address of your account. We send you a link that sets a new password.',
    submit: 'Send the link',
    sent: (email: string, lifetime: string) =>
      `If ${email} has an account, the link is on its way. It works for ${lifetime}.`,
    minutes: (count: number) => formatCount(count, { one: '# minute', other: '# minutes' }),
    spam: 'Nothing there after a few minutes? Look in the spam folder.',
    back: 'Back to the sign-in',
  },
  uk: {
    title: 'Забули пароль?',
    lead: 'Введіть електронну адресу свого облікового запису. Ми надішлемо посилання, щоб задати новий пароль.',
    submit: 'Надіслати посилання',
    sent: (email: string, lifetime: string) =>
      `Якщо для ${email} є обліковий запис, лист із посиланням уже в дорозі. Воно діє ${lifetime}.`,
    minutes: (count: number) => {
      const forms: CountForms = { one: '# хвилину', few: '# хвилини', other: '# хвилин' }
      return formatCount(count, forms)
    },
    spam: 'Листа немає кілька хвилин? Перевірте теку «Спам».',
    back: 'Повернутися до входу',
  },
  ru: {
    title: 'Забыли пароль?',
    lead: 'Введите электронный адрес своего аккаунта. Мы пришлем ссылку, по которой можно задать новый пароль.',
    submit: 'Отправить ссылку',
    sent: (email: string, lifetime: string) =>
      `Если для ${email} есть аккаунт, письмо со ссылкой уже в пути. Она действует ${lifetime}.`,
    minutes: (count: number) => {
      const forms: CountForms = { one: '# минуту', few: '# минуты', other: '# минут' }
      return formatCount(count, forms)
    },
    spam: 'Письма нет несколько минут? Проверьте папку «Спам».',
    back: 'Вернуться ко входу',
  },
})

export default function ForgotPassword() {
  const t = texts()
  const { captcha, sendWithCaptcha } = useCaptcha('reset')
  const [sent, setSent] = useState<{ email: string; minutes: number } | null>(null)
  const request = async ({ email }: { email: string }) => {
    const answer = await sendWithCaptcha((token) =>
      media.value.auth.requestPasswordReset({ email, ...token }),
    )
    setSent({ email, minutes: Math.floor(answer.link_lives_seconds / 60) })
  }
  const back = <a href={withNext('/sign-in', readNext(useLocation().query.next))}>{t.back}</a>
  return (
    <AuthPage title={t.title} lead={sent === null ? t.lead : null} below={back}>
      {sent !== null && (
        <Notice kind="good" help={t.spam}>
          {t.sent(sent.email, t.minutes(sent.minutes))}
        </Notice>
      )}
      {sent === null && (
        <Form fields={['email']} submit={request}>
          {({ faults, isBusy }) => (
            <>
              <EmailField fault={faults.email} />
              {captcha}
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
