import type { z } from 'zod'
import { packTexts, type Texts, writeTexts } from '../text/texts.ts'
import { countText, didYouMean } from '../text/words.ts'
import { suggestName } from './suggest.ts'

const SHOWN_CHARACTERS_MAX = 40

/**
 * Describes a validation issue in every language, worded to follow a field name: "must be at most 51, not 52". This is
 * a zod error map. zod calls it only for schemas without a custom message.
 */
export function issueMessage(issue: z.core.$ZodRawIssue): string {
  const must = requirementOf(issue)
  if (issue.input === undefined) {
    return packTexts({
      en: `is required; it must ${must.en}`,
      uk: `значення обов’язкове; воно має ${must.uk}`,
      ru: `значение обязательно; оно должно ${must.ru}`,
    })
  }
  const shown = showValue(issue)
  return packTexts({
    en: `must ${must.en}${shown && `, not ${shown}`}`,
    uk: `значення має ${must.uk}${shown && `; отримано ${shown}`}`,
    ru: `значение должно ${must.ru}${shown && `; получено ${shown}`}`,
  })
}

/** Describes a validation issue as sentences: "Must be at most 51, not 52." Another error map, like issueMessage. */
export function issueSentence(issue: z.core.$ZodRawIssue): string {
  if (issue.code === 'unrecognized_keys') return packTexts(describeUnknown(issue))
  const must = requirementOf(issue)
  if (issue.input === undefined) {
    return packTexts({
      en: `This field is required. It must ${must.en}.`,
      uk: `Це поле обов’язкове. Воно має ${must.uk}.`,
      ru: `Это поле обязательно. Оно должно ${must.ru}.`,
    })
  }
  const shown = showValue(issue)
  return packTexts({
    en: `Must ${must.en}${shown && `, not ${shown}`}.`,
    uk: `Значення має ${must.uk}${shown && `; отримано ${shown}`}.`,
    ru: `Значение должно ${must.ru}${shown && `; получено ${shown}`}.`,
  })
}

/** Separates the sentences about several unknown fields, one for each of `keys`. */
export const UNKNOWN_SEPARATOR = '\n'
const LISTED_FIELDS_MAX = 12
/** More unknown fields of an object are not described: a body can hold 100,000 of them. */
export const UNKNOWN_FIELDS_MAX = 10

function describeUnknown({ keys, inst }: z.core.$ZodRawIssue<z.core.$ZodIssueUnrecognizedKeys>): Texts {
  const { shape = {} } = (inst?._zod.def ?? {}) as { shape?: Record<string, unknown> }
  const known = Object.keys(shape)
  const described = keys.slice(0, UNKNOWN_FIELDS_MAX).map((key) => adviseOn(key, known))
  return writeTexts((locale) =>
    described.map((advice) => `${UNKNOWN_FIELD[locale]} ${advice[locale]}`).join(UNKNOWN_SEPARATOR),
  )
}

const UNKNOWN_FIELD: Texts = { en: 'Unknown field.', uk: 'Невідоме поле.', ru: 'Неизвестное поле.' }

function adviseOn(key: string, known: readonly string[]): Texts {
  const suggestion = suggestName(key, known)
  if (suggestion !== undefined) return writeTexts((locale) => didYouMean(locale, suggestion))
  // This is the most common mistake in submissions.
  if (known.includes('params')) return BELONGS_IN_PARAMS
  if (known.length === 0 || known.length > LISTED_FIELDS_MAX) return REMOVE_IT
  const list = known.join(', ')
  return { en: `Use ${list}.`, uk: `Доступні поля: ${list}.`, ru: `Доступные поля: ${list}.` }
}

const BELONGS_IN_PARAMS: Texts = {
  en: 'Parameters of the operation belong in params.',
  uk: 'Параметри операції вказуйте в params.',
  ru: 'Параметры операции указывайте в params.',
}

const REMOVE_IT: Texts = { en: 'Remove it.', uk: 'Вилучіть його.', ru: 'Удалите его.' }

/**
 * Quotes a rejected value. Returns '' if it is long, or if it is a string of the wrong length or format, which might be
 * a password.
 */
function showValue(issue: z.core.$ZodRawIssue): string {
  const { input: value } = issue
  if (typeof value === 'number' && !Number.isFinite(value)) return ''
  const isUrl = issue.code === 'invalid_format' && issue.format === 'url'
  const isPublic = isUrl || issue.code === 'invalid_type' || issue.code === 'invalid_value'
  if (typeof value === 'string' && !isPublic) return ''
  const text = JSON.stringify(value)
  return text !== undefined && text.length <= SHOWN_CHARACTERS_MAX ? text : ''
}

/** Describes the requirement, worded to follow "must". */
function requirementOf(issue: z.core.$ZodRawIssue): Texts {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.expected === 'number' && typeof issue.input === 'string' && TIMECODE.test(issue.input))
        return secondsOf(issue.input)
      return TYPES[issue.expected] ?? VALID
    case 'invalid_value':
      return requireOneOf(issue.values.map(String))
    case 'too_small':
      return boundText(issue.origin, 'min', Number(issue.minimum), issue.inclusive ?? true)
    case 'too_big':
      return boundText(issue.origin, 'max', Number(issue.maximum), issue.inclusive ?? true)
    case 'not_multiple_of':
      return {
        en: `be a multiple of ${issue.divisor}`,
        uk: `бути кратним ${issue.divisor}`,
        ru: `быть кратным ${issue.divisor}`,
      }
    case 'invalid_key':
      return NAMED
    case 'invalid_format':
      return FORMATS[issue.format] ?? VALID
    default:
      return VALID
  }
}

/** A time as players show it: 1:30 or 00:01:30.5. */
const TIMECODE = /^\d{1,3}(:\d{1,2}){1,2}(\.\d{1,6})?$/

/** Shows the given time as a number. Only times are written in this way. */
function secondsOf(timecode: string): Texts {
  const seconds = timecode.split(':').reduce((sum, part) => sum * 60 + Number(part), 0)
  return {
    en: `be a number of seconds, for example ${seconds}`,
    uk: `бути числом секунд, наприклад ${seconds}`,
    ru: `быть числом секунд, например ${seconds}`,
  }
}

function requireOneOf(values: readonly string[]): Texts {
  const list = values.join(', ')
  if (values.length === 1) return { en: `be ${list}`, uk: `дорівнювати ${list}`, ru: `равняться ${list}` }
  return { en: `be one of ${list}`, uk: `бути одним із: ${list}`, ru: `быть одним из: ${list}` }
}

const VALID: Texts = {
  en: 'match the API reference',
  uk: 'відповідати довіднику API',
  ru: 'соответствовать справочнику API',
}

const NAMED: Texts = {
  en: 'have a name of 1 to 64 printable characters',
  uk: 'мати назву від 1 до 64 друкованих символів',
  ru: 'иметь имя от 1 до 64 печатных символов',
}

const TYPES: Partial<Record<string, Texts>> = {
  int: { en: 'be an integer', uk: 'бути цілим числом', ru: 'быть целым числом' },
  number: { en: 'be a number', uk: 'бути числом', ru: 'быть числом' },
  string: { en: 'be a string', uk: 'бути рядком', ru: 'быть строкой' },
  boolean: { en: 'be true or false', uk: 'бути true або false', ru: 'быть true или false' },
  array: { en: 'be an array', uk: 'бути масивом', ru: 'быть массивом' },
  object: { en: 'be an object', uk: 'бути об’єктом', ru: 'быть объектом' },
  record: { en: 'be an object', uk: 'бути об’єктом', ru: 'быть объектом' },
}

const FORMATS: Partial<Record<string, Texts>> = {
  url: { en: 'be an http or https URL', uk: 'бути URL http або https', ru: 'быть URL http или https' },
  uuid: { en: 'be a UUID', uk: 'бути UUID', ru: 'быть UUID' },
  datetime: {
    en: 'be a date and time with an offset, such as 2026-01-31T12:00:00Z',
    uk: 'бути датою й часом зі зміщенням, наприклад 2026-01-31T12:00:00Z',
    ru: 'быть датой и временем со смещением, например 2026-01-31T12:00:00Z',
  },
  date: {
    en: 'be a date, such as 2026-01-31',
    uk: 'бути датою, наприклад 2026-01-31',
    ru: 'быть датой, например 2026-01-31',
  },
  email: {
    en: 'be an email address',
    uk: 'бути адресою електронної пошти',
    ru: 'быть адресом электронной почты',
  },
}

/** Describes a bound: of the characters of a string, of the entries of an array, or of a number. */
function boundText(origin: string, side: 'min' | 'max', bound: number, inclusive: boolean): Texts {
  if (origin === 'string' || origin === 'array') {
    const noun = origin === 'string' ? 'character' : 'entry'
    const { en, uk, ru } = LENGTHS[side]
    return {
      en: `be ${en} ${countText('en', bound, noun)} long`,
      uk: `містити ${uk} ${countText('uk', bound, noun)}`,
      ru: `содержать ${ru} ${countText('ru', bound, noun)}`,
    }
  }
  const words = BOUNDS[side][inclusive ? 'inclusive' : 'exclusive']
  return writeTexts((locale) => `${words[locale]} ${bound}`)
}

const LENGTHS = {
  min: { en: 'at least', uk: 'щонайменше', ru: 'минимум' },
  max: { en: 'at most', uk: 'щонайбільше', ru: 'максимум' },
}

const BOUNDS = {
  min: {
    inclusive: { en: 'be at least', uk: 'бути не менше', ru: 'быть не меньше' },
    exclusive: { en: 'be more than', uk: 'бути більше', ru: 'быть больше' },
  },
  max: {
    inclusive: { en: 'be at most', uk: 'бути не більше', ru: 'быть не больше' },
    exclusive: { en: 'be less than', uk: 'бути менше', ru: 'быть меньше' },
  },
}
