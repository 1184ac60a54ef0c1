import type { Locale } from '../../../shared/text/texts.ts'
import type { EmailContent } from '../../emails/rules/content.ts'

interface CodeEmail {
  code: string
  minutes: number
}

const CONTENTS: Record<Locale, (email: CodeEmail, site: string) => EmailContent> = {
  en: ({ code, minutes }, site) => ({
    subject: `${code} is your confirmation code`,
    heading: 'Confirm your address',
    greeting: 'Hello,',
    blocks: [
      `To confirm your address at ${site}, enter this code:`,
      { code },
      `The code expires in ${minutes} minutes. Do not share it: we never ask for it.`,
      'If you did not request a code, you can ignore this email.',
    ],
  }),
  uk: ({ code, minutes }, site) => ({
    subject: `${code} – ваш код підтвердження`,
    heading: 'Підтвердьте свою адресу',
    greeting: 'Вітаємо!',
    blocks: [
      `Щоб підтвердити свою адресу на ${site}, введіть цей код:`,
      { code },
      `Код діє ${minutes} хвилин. Нікому його не повідомляйте: ми ніколи про нього не питаємо.`,
      'Якщо ви не просили цього коду, просто не зважайте на лист.',
    ],
  }),
  ru: ({ code, minutes }, site) => ({
    subject: `${code} – ваш код подтверждения`,
    heading: 'Подтвердите свой адрес',
    greeting: 'Здравствуйте!',
    blocks: [
      `Чтобы подтвердить свой адрес на ${site}, введите этот код:`,
      { code },
      `Код действует ${minutes} минут. Никому его не сообщайте: мы никогда о нем не спрашиваем.`,
      'Если вы не запрашивали этот код, просто не обращайте внимания на письмо.',
    ],
  }),
}

/**
 * Writes the email with the 6-digit code. It quotes no user input, not even the name. Otherwise, someone could
 * register with another person's address to send that person a message. Contract: Accounts, Email confirmation.
 */
export function writeCodeEmail(email: CodeEmail, locale: Locale, site: string): EmailContent {
  return CONTENTS[locale](email, site)
}
