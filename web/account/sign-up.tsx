import { useConfig } from '../api/config.ts'
import { media } from '../api/media.ts'
import { Button } from '../design/button.tsx'
import { TextField } from '../design/field.tsx'
import { Form } from '../design/form.tsx'
import { Notice } from '../design/surfaces.tsx'
import { withNext } from '../shell/next-path.ts'
import { defineTexts } from '../text/define-texts.ts'
import { AuthPage } from './auth-page.tsx'
import { useCaptcha } from './captcha.tsx'
import { EmailField, NewPasswordField } from './fields.tsx'
import panel from './panel.module.css'
import { ProviderSignIn } from './provider-button.tsx'
import { useEnter } from './use-enter.ts'

const texts = defineTexts({
  en: {
    title: 'Create an account',
    lead: 'You get free bonuses every day. No card is needed.',
    name: 'Name (optional)',
    submit: 'Create the account',
    known: 'Already have an account?',
    sign_in: 'Sign in',
    agree: 'By creating an account, you accept the',
    terms: 'terms',
    see: 'How we handle your data is in the',
    privacy: 'privacy notice',
    closed: 'New accounts cannot be created at the moment.',
  },
  uk: {
    title: 'Новий обліковий запис',
    lead: 'Щодня ви отримуєте безкоштовні бонуси. Картка не потрібна.',
    name: 'Ім’я (необов’язково)',
    submit: 'Створити обліковий запис',
    known: 'Уже маєте обліковий запис?',
    sign_in: 'Увійдіть',
    agree: 'Створюючи обліковий запис, ви приймаєте',
    terms: 'умови',
    see: 'Як ми поводимося з вашими даними, описує',
    privacy: 'повідомлення про приватність',
    closed: 'Зараз створити обліковий запис не можна.',
  },
  ru: {
    title: 'Новый аккаунт',
    lead: 'Каждый день вы получаете бесплатные бонусы. Карта не нужна.',
    name: 'Имя (необязательно)',
    submit: 'Создать аккаунт',
    known: 'Уже есть аккаунт?',
    sign_in: 'Войдите',
    agree: 'Создавая аккаунт, вы принимаете',
    terms: 'условия',
    see: 'Как мы обращаемся с вашими данными, описывает',
    privacy: 'уведомление о конфиденциальности',
    closed: 'Сейчас создать аккаунт нельзя.',
  },
})

export default function SignUp() {
  const t = texts()
  const { next, enter } = useEnter()
  const { captcha, sendWithCaptcha } = useCaptcha('register')
  const isClosed = useConfig().data?.registration_enabled === false
  const signUp = async ({ full_name, ...values }: Record<'email' | 'full_name' | 'password', string>) => {
    const name = full_name.trim() === '' ? {} : { full_name: full_name.trim() }
    enter(await sendWithCaptcha((token) => media.value.auth.register({ ...values, ...name, ...token })))
  }
  const below = (
    <>
      {t.known} <a href={withNext('/sign-in', next)}>{t.sign_in}</a>
    </>
  )
  const documents = (
    <p class={panel.quiet}>
      {t.agree} <a href="/terms">{t.terms}</a>. {t.see} <a href="/privacy">{t.privacy}</a>.
    </p>
  )
  return (
    <AuthPage title={t.title} lead={t.lead} below={below}>
      {isClosed ? (
        <Notice>{t.closed}</Notice>
      ) : (
        <>
          <Form fields={['email', 'full_name', 'password']} submit={signUp}>
            {({ faults, isBusy }) => (
              <>
                <EmailField fault={faults.email} />
                <TextField
                  label={t.name}
                  name="full_name"
                  autocomplete="name"
                  maxLength={200}
                  fault={faults.full_name}
                />
                <NewPasswordField isFirst fault={faults.password} />
                {captcha}
                {documents}
                <Button type="submit" look="primary" isWide isBusy={isBusy}>
                  {t.submit}
                </Button>
              </>
            )}
          </Form>
          <ProviderSignIn next={next} />
        </>
      )}
    </AuthPage>
  )
}
