import type { Locale } from '../../../shared/text/texts.ts'

/** The texts that a bot sends. */
export type BotWord = 'help' | 'unknown' | 'used' | 'sending' | 'expired' | 'gone' | 'refused' | 'failed'

const WORDS: Record<Locale, Record<BotWord, string>> = {
  en: {
    help: 'I deliver round videos made on our site. Request a link there and open it to receive the video here.',
    unknown: 'This link is not valid. Check that you copied the whole URL, or request a new one on the site.',
    used: 'This link has already been used. Request a new one on the site.',
    sending: 'The video is being sent. It will arrive in a moment.',
    expired: 'This link has expired. Request a new one on the site.',
    gone: 'The video has been deleted. Create it again on the site.',
    refused:
      'Telegram rejected the video. If your privacy settings block voice and video messages, allow them and open the link again.',
    failed: 'The video could not be sent. Open the link again in a few minutes.',
  },
  uk: {
    help: 'Я надсилаю круглі відео, зроблені на нашому сайті. Отримайте там посилання й відкрийте його: відео прийде сюди саме.',
    unknown:
      'Я не знаю цього посилання. Перевірте, чи його скопійовано повністю, або отримайте на сайті нове.',
    used: 'Це посилання вже використано: кожне приносить своє відео один раз. Отримайте на сайті нове.',
    sending: 'Відео вже в дорозі; за мить воно буде тут.',
    expired: 'Термін дії цього посилання минув. Отримайте на сайті нове.',
    gone: 'Це відео більше не зберігається. Зробіть його на сайті ще раз.',
    refused:
      'Telegram не прийняв відео. Якщо ваші налаштування приватності забороняють голосові та відеоповідомлення, дозвольте їх і відкрийте посилання ще раз.',
    failed: 'Зараз не вдалося надіслати відео. Відкрийте посилання ще раз за кілька хвилин.',
  },
  ru: {
    help: 'Я присылаю круглые видео, сделанные на нашем сайте. Получите там ссылку и откройте ее: видео придет сюда само.',
    unknown: 'Я не знаю этой ссылки. Проверьте, скопирована ли она целиком, или получите на сайте новую.',
    used: 'Эта ссылка уже использована: каждая приносит свое видео один раз. Получите на сайте новую.',
    sending: 'Видео уже в пути; через мгновение оно будет здесь.',
    expired: 'Срок действия этой ссылки истек. Получите на сайте новую.',
    gone: 'Это видео больше не хранится. Сделайте его на сайте еще раз.',
    refused:
      'Telegram не принял видео. Если ваши настройки приватности запрещают голосовые и видеосообщения, разрешите их и откройте ссылку еще раз.',
    failed: 'Сейчас не удалось отправить видео. Откройте ссылку еще раз через несколько минут.',
  },
}

export function wordFor(word: BotWord, locale: Locale): string {
  return WORDS[locale][word]
}
