import type { Locale } from '../../../shared/text/texts.ts'
import type { EmailContent } from '../../emails/rules/content.ts'
import { formatMoment } from '../../emails/rules/formats.ts'

export const IDENTITY_EMAILS = ['linked', 'unlinked'] as const
export type IdentityEmail = (typeof IDENTITY_EMAILS)[number]

/** Writes the email about a link to the identity provider. Contract: Accounts, Identity provider. */
export function writeIdentityEmail(
  { status, at }: { status: IdentityEmail; at: number },
  locale: Locale,
  site: string,
): EmailContent {
  return CONTENTS[locale][status](`${formatMoment(at, locale)} UTC`, site)
}

type Write = (when: string, site: string) => EmailContent

const CONTENTS: Record<Locale, Record<IdentityEmail, Write>> = {
  en: {
    linked: (when, site) => ({
      subject: 'A sign-in was linked to your account',
      greeting: 'Hello,',
      blocks: [
        `On ${when}, an identity of another service was linked to your account at ${site}. It can be used to sign in.`,
        'If you did this, there is nothing to do.',
        `If you did not, someone else may have access to your account. Reset the password on the sign-in page of ${site} now: that ends all sessions and removes the link.`,
      ],
    }),
    unlinked: (when, site) => ({
      subject: 'A sign-in was unlinked from your account',
      greeting: 'Hello,',
      blocks: [
        `On ${when}, the identity of another service was unlinked from your account at ${site}. It can no longer be used to sign in.`,
        `If you did not do this, reset the password on the sign-in page of ${site}.`,
      ],
    }),
  },
  uk: {
    linked: (when, site) => ({
      subject: 'До вашого облікового запису прив’язано вхід',
      greeting: 'Вітаємо!',
      blocks: [
        `${when} до вашого облікового запису на ${site} прив’язано вхід через інший сервіс.`,
        'Якщо це зробили ви, нічого робити не потрібно.',
        `Якщо ні, можливо, хтось отримав доступ до вашого облікового запису. Негайно скиньте пароль на сторінці входу ${site}: це завершить усі сеанси й вилучить прив’язку.`,
      ],
    }),
    unlinked: (when, site) => ({
      subject: 'Від вашого облікового запису відв’язано вхід',
      greeting: 'Вітаємо!',
      blocks: [
        `${when} від вашого облікового запису на ${site} відв’язано вхід через інший сервіс. Увійти через нього більше не можна.`,
        `Якщо це зробили не ви, скиньте пароль на сторінці входу ${site}.`,
      ],
    }),
  },
  ru: {
    linked: (when, site) => ({
      subject: 'К вашему аккаунту привязан вход',
      greeting: 'Здравствуйте!',
      blocks: [
        `${when} к вашему аккаунту на ${site} привязан вход через другой сервис.`,
        'Если это сделали вы, ничего делать не нужно.',
        `Если нет, возможно, кто-то получил доступ к вашему аккаунту. Немедленно сбросьте пароль на странице входа ${site}: это завершит все сеансы и удалит привязку.`,
      ],
    }),
    unlinked: (when, site) => ({
      subject: 'От вашего аккаунта отвязан вход',
      greeting: 'Здравствуйте!',
      blocks: [
        `${when} от вашего аккаунта на ${site} отвязан вход через другой сервис. Войти через него больше нельзя.`,
        `Если это сделали не вы, сбросьте пароль на странице входа ${site}.`,
      ],
    }),
  },
}
