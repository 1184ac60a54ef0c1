import type { Locale, Texts } from './texts.ts'

type Forms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>>

/**
 * Counted nouns. English has `one` and `other`; Ukrainian and Russian have `one` (1, 21), `few` (2 to 4) and `many`
 * (5 to 20). Feminine nouns are in the accusative, which follows "in" (через 1 минуту).
 */
const NOUNS = {
  second: {
    en: { one: 'second', other: 'seconds' },
    uk: { one: 'секунду', few: 'секунди', many: 'секунд' },
    ru: { one: 'секунду', few: 'секунды', many: 'секунд' },
  },
  minute: {
    en: { one: 'minute', other: 'minutes' },
    uk: { one: 'хвилину', few: 'хвилини', many: 'хвилин' },
    ru: { one: 'минуту', few: 'минуты', many: 'минут' },
  },
  hour: {
    en: { one: 'hour', other: 'hours' },
    uk: { one: 'годину', few: 'години', many: 'годин' },
    ru: { one: 'час', few: 'часа', many: 'часов' },
  },
  byte: {
    en: { one: 'byte', other: 'bytes' },
    uk: { one: 'байт', few: 'байти', many: 'байтів' },
    ru: { one: 'байт', few: 'байта', many: 'байт' },
  },
  character: {
    en: { one: 'character', other: 'characters' },
    uk: { one: 'символ', few: 'символи', many: 'символів' },
    ru: { one: 'символ', few: 'символа', many: 'символов' },
  },
  entry: {
    en: { one: 'entry', other: 'entries' },
    uk: { one: 'елемент', few: 'елементи', many: 'елементів' },
    ru: { one: 'элемент', few: 'элемента', many: 'элементов' },
  },
  request: {
    en: { one: 'request', other: 'requests' },
    uk: { one: 'запит', few: 'запити', many: 'запитів' },
    ru: { one: 'запрос', few: 'запроса', many: 'запросов' },
  },
  file: {
    en: { one: 'file', other: 'files' },
    uk: { one: 'файл', few: 'файли', many: 'файлів' },
    ru: { one: 'файл', few: 'файла', many: 'файлов' },
  },
  part: {
    en: { one: 'part', other: 'parts' },
    uk: { one: 'частину', few: 'частини', many: 'частин' },
    ru: { one: 'часть', few: 'части', many: 'частей' },
  },
  audio_track: {
    en: { one: 'audio track', other: 'audio tracks' },
    uk: { one: 'звукова доріжка', few: 'звукові доріжки', many: 'звукових доріжок' },
    ru: { one: 'звуковая дорожка', few: 'звуковые дорожки', many: 'звуковых дорожек' },
  },
  attempt: {
    en: { one: 'attempt', other: 'attempts' },
    uk: { one: 'спроба', few: 'спроби', many: 'спроб' },
    ru: { one: 'попытка', few: 'попытки', many: 'попыток' },
  },
  preset: {
    en: { one: 'preset', other: 'presets' },
    uk: { one: 'пресет', few: 'пресети', many: 'пресетів' },
    ru: { one: 'пресет', few: 'пресета', many: 'пресетов' },
  },
  link: {
    en: { one: 'link', other: 'links' },
    uk: { one: 'посилання', few: 'посилання', many: 'посилань' },
    ru: { one: 'ссылку', few: 'ссылки', many: 'ссылок' },
  },
  api_key: {
    en: { one: 'API key', other: 'API keys' },
    uk: { one: 'ключ API', few: 'ключі API', many: 'ключів API' },
    ru: { one: 'ключ API', few: 'ключа API', many: 'ключей API' },
  },
  /** In texts for users, the contract calls credits "bonuses". English errors keep the name of the fields. */
  credit: {
    en: { one: 'credit', other: 'credits' },
    uk: { one: 'бонус', few: 'бонуси', many: 'бонусів' },
    ru: { one: 'бонус', few: 'бонуса', many: 'бонусов' },
  },
} satisfies Record<string, Record<Locale, Forms>>

export type Noun = keyof typeof NOUNS

const RULES = {
  en: new Intl.PluralRules('en'),
  uk: new Intl.PluralRules('uk'),
  ru: new Intl.PluralRules('ru'),
}

/** Writes a whole number with its noun: "5 seconds", "5 секунд". */
export function countText(locale: Locale, count: number, noun: Noun): string {
  const forms: Forms = NOUNS[noun][locale]
  return `${count} ${forms[RULES[locale].select(count)] ?? forms.other ?? forms.many}`
}

const OR: Texts = { en: ' or ', uk: ' або ', ru: ' или ' }

/** Joins alternatives: "card or crypto". */
export function listAny(locale: Locale, names: readonly string[]): string {
  return names.join(OR[locale])
}

/** Kinds of files, as direct objects: "accepts a video". */
const FILE_KINDS: Record<string, Texts> = {
  video: { en: 'a video', uk: 'відео', ru: 'видео' },
  image: { en: 'an image', uk: 'зображення', ru: 'изображение' },
  audio: { en: 'an audio file', uk: 'аудіофайл', ru: 'аудиофайл' },
  text: { en: 'a text file', uk: 'текстовий файл', ru: 'текстовый файл' },
}

/** Names a kind of file. Returns a media type as is. */
export function fileKindText(locale: Locale, kind: string): string {
  return FILE_KINDS[kind]?.[locale] ?? kind
}

/** Tiers, as adjectives. */
const TIERS: Record<string, Texts> = {
  anonymous: { en: 'anonymous', uk: 'анонімний', ru: 'анонимный' },
  free: { en: 'free', uk: 'безкоштовний', ru: 'бесплатный' },
  paid: { en: 'paid', uk: 'платний', ru: 'платный' },
}

/** Names the tier of a caller. */
export function tierText(locale: Locale, tier: string): string {
  return TIERS[tier]?.[locale] ?? tier
}

const SIZE_UNITS = [
  { bytes: 1024 ** 3, name: { en: 'GB', uk: 'ГБ', ru: 'ГБ' } },
  { bytes: 1024 ** 2, name: { en: 'MB', uk: 'МБ', ru: 'МБ' } },
  { bytes: 1024, name: { en: 'KB', uk: 'КБ', ru: 'КБ' } },
] satisfies { bytes: number; name: Texts }[]

/** Writes a size: "2.5 GB", "2,5 ГБ". */
export function sizeText(locale: Locale, bytes: number): string {
  const unit = SIZE_UNITS.find((candidate) => bytes >= candidate.bytes)
  if (unit === undefined) return countText(locale, bytes, 'byte')
  return `${decimalText(locale, bytes / unit.bytes)} ${unit.name[locale]}`
}

/** Writes a number with at most one decimal, without separators between thousands. */
export function decimalText(locale: Locale, value: number): string {
  const text = String(Math.round(value * 10) / 10)
  return locale === 'en' ? text : text.replace('.', ',')
}

const TIME_UNITS = [
  { seconds: 3600, name: { en: 'h', uk: 'год', ru: 'ч' } },
  { seconds: 60, name: { en: 'min', uk: 'хв', ru: 'мин' } },
  { seconds: 1, name: { en: 's', uk: 'с', ru: 'с' } },
] satisfies { seconds: number; name: Texts }[]

/** Writes a length of time: 2530 → "42 min 10 s", 7200 → "2 h". */
export function lengthText(locale: Locale, seconds: number): string {
  const parts: string[] = []
  let rest = Math.round(seconds)
  for (const unit of TIME_UNITS) {
    const amount = Math.floor(rest / unit.seconds)
    rest -= amount * unit.seconds
    if (amount > 0 || (unit.seconds === 1 && parts.length === 0)) parts.push(`${amount} ${unit.name[locale]}`)
  }
  return parts.join(' ')
}

/** Writes a waiting time, rounded up to a readable number: "in 2 minutes". */
export function waitText(locale: Locale, seconds: number): string {
  return `${IN[locale]} ${countedTime(locale, seconds)}`
}

const IN: Texts = { en: 'in', uk: 'через', ru: 'через' }

function countedTime(locale: Locale, seconds: number): string {
  if (seconds <= 90) return countText(locale, seconds, 'second')
  const minutes = Math.ceil(seconds / 60)
  if (minutes <= 90) return countText(locale, minutes, 'minute')
  return countText(locale, Math.ceil(minutes / 60), 'hour')
}

const DID_YOU_MEAN: Texts = {
  en: 'Did you mean',
  uk: 'Можливо, ви мали на увазі',
  ru: 'Возможно, вы имели в виду',
}

/** Suggests a known name: "Did you mean resize?" Returns '' if there is no suggestion. */
export function didYouMean(locale: Locale, suggestion: string | undefined): string {
  return suggestion === undefined ? '' : `${DID_YOU_MEAN[locale]} ${suggestion}?`
}
