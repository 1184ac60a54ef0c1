import { useConfig } from '../api/config.ts'
import { media } from '../api/media.ts'
import { Button } from '../design/button.tsx'
import { Form } from '../design/form.tsx'
import { withNext } from '../shell/next-path.ts'
import { defineTexts } from '../text/define-texts.ts'
import styles from './auth-page.module.css'
import { AuthPage } from './auth-page.tsx'
import { useCaptcha } from './captcha.tsx'
import { EmailField, KnownPasswordField } from './fields.tsx'
import { ProviderSignIn } from './provider-button.tsx'
import { useEnter } from './use-enter.ts'

const texts = defineTexts({
  en: {
    title: 'Sign in',
    submit: 'Sign in',
    forgot: 'Forgot your password?',
    new_here: 'New here?',
    sign_up: 'Create an account',
  },
  uk: {
    title: 'Вхід',
    submit: 'Увійти',
    forgot: 'Забули пароль?',
    new_here: 'Ще не маєте облікового запису?',
    sign_up: 'Створіть його',
  },
  ru: {
    title: 'Вход',
    submit: 'Войти',
    forgot: 'Забыли пароль?',
    new_here: 'Еще нет аккаунта?',
    sign_up: 'Создайте его',
  },
})

export default function SignIn() {
  const t = texts()
  const { next, enter } = useEnter()
  const config = useConfig()
  const { captcha, sendWithCaptcha } = useCaptcha('login')
  const signIn = async (values: { email: string; password: string }) =>
    enter(await sendWithCaptcha((token) => media.value.auth.login({ ...values, ...token })))
  const below = config.data?.registration_enabled !== false && (
    <>
      {t.new_here} <a href={withNext('/sign-up', next)}>{t.sign_up}</a>
    </>
  )
  return (
    <AuthPage title={t.title} below={below}>
      <Form fields={['email', 'password']} submit={signIn}>
        {({ faults, isBusy }) => (
          <>
            <EmailField fault={faults.email} />
            <KnownPasswordField fault={faults.password} />
            {config.data?.password_reset_enabled !== false && (
              <a class={styles.aside} href={withNext('/forgot-password', next)}>
                {t.forgot}
              </a>
            )}
            {captcha}
            <Button type="submit" look="primary" isWide isBusy={isBusy}>
              {t.submit}
            </Button>
          </>
        )}
      </Form>
      <ProviderSignIn next={next} />
    </AuthPage>
  )
}
