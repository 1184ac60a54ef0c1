import type { Locale } from '../locale.ts'
import { type Letter, setLetter } from './letter.ts'

/** Lands in subjects and greetings, so it must not be able to carry a text of its own for long. */
const NAME_LENGTH_MAX = 60

/** The 6-digit code that confirms an address. Specification: Accounts and sign-in, rule 4. */
export function writeCodeLetter(
  { code, minutes, full_name }: { code: string; minutes: number; full_name: string | null },
  locale: Locale,
  site: string,
): Letter {
  const name = shorten(full_name)
  switch (locale) {
    case 'uk':
      return setLetter(
        {
          subject: `${code} – ваш код підтвердження`,
          greeting: name ? `Вітаємо, ${name}!` : 'Вітаємо!',
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
      return setLetter(
        {
          subject: `${code} – ваш код подтверждения`,
          greeting: name ? `Здравствуйте, ${name}!` : 'Здравствуйте!',
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
      return setLetter(
        {
          subject: `${code} is your confirmation code`,
          greeting: name ? `Hello ${name},` : 'Hello,',
          lead: `To confirm your address at ${site}, enter this code:`,
          highlight: code,
          paragraphs: [
            `It is good for ${minutes} minutes. Give it to nobody: we never ask for it.`,
            'If you did not ask for a code, pay no attention to this letter.',
          ],
        },
        locale,
        site,
      )
  }
}

/** A stranger's registration must not turn the letter into an advertisement: nothing like an address stays. */
function shorten(name: string | null): string | null {
  if (name === null || name.length > NAME_LENGTH_MAX || /[./:@\p{Cc}]/u.test(name)) return null
  return name
}
