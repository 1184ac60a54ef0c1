import type { Locale } from '../../../shared/text/texts.ts'
import { type RenderedEmail, renderEmail } from '../../emails/rules/email.ts'

/**
 * Writes the email with the 6-digit code. It quotes no user input, not even the name. Otherwise, someone could
 * register with another person's address to send that person a message. Contract: Accounts, Email confirmation.
 */
export function writeCodeEmail(
  { code, minutes }: { code: string; minutes: number },
  locale: Locale,
  site: string,
): RenderedEmail {
  switch (locale) {
    case 'uk':
      return renderEmail(
        {
          subject: `${code} – ваш код підтвердження`,
          greeting: 'Вітаємо!',
          lead: `Щоб підтвердити свою адресу на ${site}, введіть цей код:`,
          highlight: code,
          paragraphs: [
            `Код діє ${minutes} хвилин. Нікому його не повідомляйте: ми ніколи про нього не питаємо.`,
            'Якщо ви не просили цього коду, просто не зважайте на лист.',
          ],
        },
        locale,
        site,
      )
    case 'ru':
      return renderEmail(
        {
          subject: `${code} – ваш код подтверждения`,
          greeting: 'Здравствуйте!',
          lead: `Чтобы подтвердить свой адрес на ${site}, введите этот код:`,
          highlight: code,
          paragraphs: [
            `Код действует ${minutes} минут. Никому его не сообщайте: мы никогда о нём не спрашиваем.`,
            'Если вы не запрашивали этот код, просто не обращайте внимания на письмо.',
          ],
        },
        locale,
        site,
      )
    case 'en':
      return renderEmail(
        {
          subject: `${code} is your confirmation code`,
          greeting: 'Hello,',
          lead: `To confirm your address at ${site}, enter this code:`,
          highlight: code,
          paragraphs: [
            `The code expires in ${minutes} minutes. Do not share it: we never ask for it.`,
            'If you did not request a code, you can ignore this email.',
          ],
        },
        locale,
        site,
      )
  }
}
