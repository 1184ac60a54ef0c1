import { fromFacts, type Locale, type Texts } from '../text/texts.ts'
import { lengthText, tierText } from '../text/words.ts'
import type { FailureEntry } from './entry.ts'

/** Why a site did not provide a video. Each is a clause after a colon. */
export const LINK_FAULTS = {
  no_video: {
    en: 'no video was found there',
    uk: 'там не знайдено відео',
    ru: 'там не найдено видео',
  },
  protected: {
    en: 'the video is protected (DRM)',
    uk: 'відео захищено (DRM)',
    ru: 'видео защищено (DRM)',
  },
  needs_login: {
    en: 'the video is not public: it requires a login',
    uk: 'відео не є загальнодоступним: потрібен вхід',
    ru: 'видео не является общедоступным: требуется вход',
  },
  country: {
    en: 'the site does not provide the video in the country of this server',
    uk: 'сайт не надає це відео в країні цього сервера',
    ru: 'сайт не предоставляет это видео в стране этого сервера',
  },
  gone: {
    en: 'the video does not exist or was removed',
    uk: 'відео не існує або його видалено',
    ru: 'видео не существует или удалено',
  },
  site_refuses: {
    en: 'the site refuses requests from this server at present; try again later',
    uk: 'сайт зараз відхиляє запити цього сервера; спробуйте пізніше',
    ru: 'сайт сейчас отклоняет запросы этого сервера; попробуйте позже',
  },
  no_response: {
    en: 'the site did not respond; try again later',
    uk: 'сайт не відповів; спробуйте пізніше',
    ru: 'сайт не ответил; попробуйте позже',
  },
  not_public: {
    en: 'it does not lead to a public address',
    uk: 'воно не веде на загальнодоступну адресу',
    ru: 'она не ведет на общедоступный адрес',
  },
  unreadable: {
    en: 'the site could not be read',
    uk: 'не вдалося прочитати сайт',
    ru: 'не удалось прочитать сайт',
  },
  too_long: {
    en: 'the download took too long',
    uk: 'завантаження тривало надто довго',
    ru: 'загрузка заняла слишком много времени',
  },
  no_format: {
    en: 'it provides no format that can be downloaded without a login or another program',
    uk: 'немає формату, який можна завантажити без входу чи іншої програми',
    ru: 'нет формата, который можно загрузить без входа или другой программы',
  },
} as const satisfies Record<string, Texts>

export type LinkFault = keyof typeof LINK_FAULTS

export interface LinkTooLong {
  seconds: number
  limit_seconds: number
  /** What sets the limit. */
  limited_by: 'tier' | 'processing' | 'download'
  tier: string
}

const LIMITS = fromFacts({
  en: ({ limited_by, tier }: LinkTooLong) =>
    ({ tier: `the ${tier} tier`, processing: 'processing a link', download: 'a download' })[limited_by],
  uk: ({ limited_by, tier }) =>
    ({ tier: `рівень «${tierText('uk', tier)}»`, processing: 'обробка посилання', download: 'завантаження' })[
      limited_by
    ],
  ru: ({ limited_by, tier }) =>
    ({ tier: `уровень «${tierText('ru', tier)}»`, processing: 'обработка ссылки', download: 'загрузка' })[
      limited_by
    ],
})

const lengths = ({ seconds, limit_seconds }: LinkTooLong, locale: Locale) => ({
  length: lengthText(locale, seconds),
  limit: lengthText(locale, limit_seconds),
})

/** Failures of link operations. Contract: Link operations. */
export const LINK_FAILURES = {
  link_failed: {
    error_code: 'download_failed',
    text: fromFacts({
      en: ({ fault }: { fault: LinkFault }) => `The link could not be downloaded: ${LINK_FAULTS[fault].en}.`,
      uk: ({ fault }) => `Не вдалося завантажити за посиланням: ${LINK_FAULTS[fault].uk}.`,
      ru: ({ fault }) => `Не удалось загрузить по ссылке: ${LINK_FAULTS[fault].ru}.`,
    }),
  },
  link_too_large: {
    error_code: 'input_too_large',
    text: {
      en: 'The linked video exceeds the maximum download size. Use a shorter video or a lower resolution.',
      uk: 'Відео за посиланням перевищує найбільший розмір завантаження. Використайте коротше відео або нижчу роздільну здатність.',
      ru: 'Видео по ссылке превышает максимальный размер загрузки. Используйте более короткое видео или меньшее разрешение.',
    },
  },
  link_too_long: {
    error_code: 'input_too_long',
    text: fromFacts({
      en: (facts: LinkTooLong) =>
        `The video is ${lengths(facts, 'en').length} long; ${LIMITS.en(facts)} allows up to ${lengths(facts, 'en').limit}. Use a shorter video.`,
      uk: (facts) =>
        `Тривалість відео — ${lengths(facts, 'uk').length}; ${LIMITS.uk(facts)} дозволяє до ${lengths(facts, 'uk').limit}. Використайте коротше відео.`,
      ru: (facts) =>
        `Длительность видео — ${lengths(facts, 'ru').length}; ${LIMITS.ru(facts)} допускает до ${lengths(facts, 'ru').limit}. Используйте более короткое видео.`,
    }),
  },
  link_disabled: {
    error_code: 'parameter_refused',
    text: fromFacts({
      en: ({ operation_key }: { operation_key: string }) =>
        `${operation_key} is disabled on this server. Download the file yourself, then upload it.`,
      uk: ({ operation_key }) =>
        `${operation_key} вимкнено на цьому сервері. Завантажте файл самостійно, а потім передайте його сюди.`,
      ru: ({ operation_key }) =>
        `${operation_key} отключено на этом сервере. Скачайте файл самостоятельно, а затем загрузите его сюда.`,
    }),
  },
  link_to_list: {
    error_code: 'parameter_refused',
    text: {
      en: 'url: the link leads to a playlist, a channel or a page with several videos. Use the link of one video.',
      uk: 'url: посилання веде на список відтворення, канал або сторінку з кількома відео. Використайте посилання на одне відео.',
      ru: 'url: ссылка ведет на плейлист, канал или страницу с несколькими видео. Используйте ссылку на одно видео.',
    },
  },
  link_to_live: {
    error_code: 'parameter_refused',
    text: {
      en: 'url: the link leads to a live stream. Try again when the recording is available.',
      uk: 'url: посилання веде на пряму трансляцію. Спробуйте знову, коли з’явиться запис.',
      ru: 'url: ссылка ведет на прямую трансляцию. Попробуйте снова, когда появится запись.',
    },
  },
  link_without_thumbnail: {
    error_code: 'parameter_refused',
    text: {
      en: 'url: the site provides no thumbnail for this video. Use another link.',
      uk: 'url: сайт не надає мініатюри цього відео. Використайте інше посилання.',
      ru: 'url: сайт не предоставляет миниатюру этого видео. Используйте другую ссылку.',
    },
  },
  link_audio_only: {
    error_code: 'parameter_refused',
    text: {
      en: 'url: the link has audio only, no video. Use download_audio.',
      uk: 'url: за посиланням є лише аудіо, без відео. Використайте download_audio.',
      ru: 'url: по ссылке есть только аудио, без видео. Используйте download_audio.',
    },
  },
} as const satisfies Record<string, FailureEntry>
