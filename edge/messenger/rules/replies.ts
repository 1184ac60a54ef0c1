import type { Locale } from '../../platform/http/rules/locale.ts'

/** The texts a bot sends. */
export type BotWord = 'help' | 'unknown' | 'used' | 'sending' | 'expired' | 'gone' | 'refused' | 'failed'

const WORDS: Record<Locale, Record<BotWord, string>> = {
  en: {
    help: 'I send round videos that were made on our site. Ask for a link there and open it: the video comes here by itself.',
    unknown: 'I don’t know this link. Look whether all of it was copied, or ask for a new one on the site.',
    used: 'This link was used already: each brings its video once. Ask for a new one on the site.',
    sending: 'The video is on its way; it will be here in a moment.',
    expired: 'This link has expired. Ask for a new one on the site.',
    gone: 'The video is not kept any more. Make it again on the site.',
    refused:
      'Telegram did not take the video. If your privacy settings forbid voice and video messages, allow them and open the link again.',
    failed: 'The video could not be sent just now. Open the link again in a few minutes.',
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
    help: 'Я присылаю круглые видео, сделанные на нашем сайте. Получите там ссылку и откройте её: видео придёт сюда само.',
    unknown: 'Я не знаю этой ссылки. Проверьте, скопирована ли она целиком, или получите на сайте новую.',
    used: 'Эта ссылка уже использована: каждая приносит своё видео один раз. Получите на сайте новую.',
    sending: 'Видео уже в пути; через мгновение оно будет здесь.',
    expired: 'Срок действия этой ссылки истёк. Получите на сайте новую.',
    gone: 'Это видео больше не хранится. Сделайте его на сайте ещё раз.',
    refused:
      'Telegram не принял видео. Если ваши настройки приватности запрещают голосовые и видеосообщения, разрешите их и откройте ссылку ещё раз.',
    failed: 'Сейчас не удалось отправить видео. Откройте ссылку ещё раз через несколько минут.',
  },
}

export function wordFor(word: BotWord, locale: Locale): string {
  return WORDS[locale][word]
}
