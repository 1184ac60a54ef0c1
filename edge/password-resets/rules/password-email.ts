import type { Locale } from '../../../shared/text/texts.ts'
import type { EmailContent } from '../../emails/rules/content.ts'
import { formatMoment } from '../../emails/rules/formats.ts'

interface ResetEmail {
  url: string
  minutes: number
  /** False if the account is only used with the identity provider. */
  has_password: boolean
}

/**
 * Writes the email with the link that sets a new password. It quotes no user input, because anyone can request it.
 * Contract: Accounts, Password reset.
 */
export function writeResetEmail(email: ResetEmail, locale: Locale, site: string): EmailContent {
  return RESET_CONTENTS[locale](email, site)
}

const RESET_CONTENTS: Record<Locale, (email: ResetEmail, site: string) => EmailContent> = {
  en: ({ url, minutes, has_password }, site) => ({
    subject: has_password ? 'Reset your password' : 'Set a password',
    greeting: 'Hello,',
    blocks: [
      has_password
        ? `Someone asked to reset the password of your account at ${site}.`
        : `Someone asked to reset the password of your account at ${site}. The account has no password yet: you sign in through another service. Setting a password removes that way to sign in. It returns when you next sign in through the service, if the service has verified this email address.`,
      { button: { label: 'Set a new password', url } },
      `The link works once and expires in ${minutes} minutes. All other devices will be signed out.`,
      'If you did not ask for this, you can ignore this email: nothing has changed.',
    ],
  }),
  uk: ({ url, minutes, has_password }, site) => ({
    subject: has_password ? 'Новий пароль' : 'Встановіть пароль',
    greeting: 'Вітаємо!',
    blocks: [
      has_password
        ? `Надійшов запит на скидання пароля до вашого облікового запису на ${site}.`
        : `Надійшов запит на скидання пароля до вашого облікового запису на ${site}. Пароля в нього ще немає: ви входите через інший сервіс. Щойно ви встановите пароль, цей спосіб входу буде вилучено. Він повернеться, коли ви знову ввійдете через той сервіс, якщо сервіс підтвердив цю адресу.`,
      { button: { label: 'Встановити новий пароль', url } },
      `Посилання спрацює один раз і діє ${minutes} хвилин. На всіх інших пристроях доведеться увійти знову.`,
      'Якщо ви про це не просили, просто не зважайте на лист: нічого не змінилося.',
    ],
  }),
  ru: ({ url, minutes, has_password }, site) => ({
    subject: has_password ? 'Новый пароль' : 'Установите пароль',
    greeting: 'Здравствуйте!',
    blocks: [
      has_password
        ? `Поступил запрос на сброс пароля от вашего аккаунта на ${site}.`
        : `Поступил запрос на сброс пароля от вашего аккаунта на ${site}. Пароля у него пока нет: вы входите через другой сервис. Как только вы установите пароль, этот способ входа будет удален. Он вернется, когда вы снова войдете через тот сервис, если сервис подтвердил этот адрес.`,
      { button: { label: 'Установить новый пароль', url } },
      `Ссылка сработает один раз и действует ${minutes} минут. На всех остальных устройствах придется войти снова.`,
      'Если вы об этом не просили, просто не обращайте внимания на письмо: ничего не изменилось.',
    ],
  }),
}

/** Writes the email about a changed password. Contract: Accounts, Passwords. */
export function writePasswordChangedEmail(at: number, locale: Locale, site: string): EmailContent {
  return CHANGED_CONTENTS[locale](`${formatMoment(at, locale)} UTC`, site)
}

const CHANGED_CONTENTS: Record<Locale, (when: string, site: string) => EmailContent> = {
  en: (when, site) => ({
    subject: 'Your password was changed',
    greeting: 'Hello,',
    blocks: [
      `The password of your account at ${site} was changed on ${when}. All other devices were signed out.`,
      'If you made this change, there is nothing to do.',
      `If you did not, someone else may have access to your account. Reset the password on the sign-in page of ${site} now, then check your API keys.`,
    ],
  }),
  uk: (when, site) => ({
    subject: 'Ваш пароль змінено',
    greeting: 'Вітаємо!',
    blocks: [
      `Пароль до вашого облікового запису на ${site} змінено: ${when}. На всіх інших пристроях виконано вихід.`,
      'Якщо це зробили ви, нічого робити не потрібно.',
      `Якщо ні, можливо, хтось отримав доступ до вашого облікового запису. Негайно скиньте пароль на сторінці входу ${site}, а потім перевірте свої ключі API.`,
    ],
  }),
  ru: (when, site) => ({
    subject: 'Ваш пароль изменен',
    greeting: 'Здравствуйте!',
    blocks: [
      `Пароль от вашего аккаунта на ${site} изменен: ${when}. На всех остальных устройствах выполнен выход.`,
      'Если это сделали вы, ничего делать не нужно.',
      `Если нет, возможно, кто-то получил доступ к вашему аккаунту. Немедленно сбросьте пароль на странице входа ${site}, а затем проверьте свои ключи API.`,
    ],
  }),
}
