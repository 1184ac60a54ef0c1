import { defineTexts } from '../../text/define-texts.ts'
import { type CountForms, formatCount, formatNumber } from '../../text/format.ts'
import type { Fault } from './find-faults.ts'
import type { Field } from './form-fields.ts'

const texts = defineTexts({
  en: {
    required: 'This field is required.',
    not_number: 'Enter a number.',
    not_integer: 'Enter a whole number.',
    not_time: 'Enter a time such as 1:05 or 1:05.250.',
    not_color: 'Enter a color such as #ffcc00.',
    not_url: 'Choose a file, or enter a link that starts with https:// or http://.',
    not_date: 'Enter a date and a time.',
    too_small: (bound: string) => `Enter ${bound} or more.`,
    too_large: (bound: string) => `Enter ${bound} or less.`,
    too_short: (bound: number) =>
      `Enter at least ${count(bound, { one: '# character', other: '# characters' })}.`,
    too_long: (bound: number) =>
      `Enter at most ${count(bound, { one: '# character', other: '# characters' })}.`,
    too_few: (bound: number) => `Add at least ${count(bound, { one: '# entry', other: '# entries' })}.`,
    too_many: (bound: number) => `Keep at most ${count(bound, { one: '# entry', other: '# entries' })}.`,
  },
  uk: {
    required: 'Заповніть це поле.',
    not_number: 'Введіть число.',
    not_integer: 'Введіть ціле число.',
    not_time: 'Введіть час, наприклад 1:05 або 1:05.250.',
    not_color: 'Введіть колір, наприклад #ffcc00.',
    not_url: 'Виберіть файл або введіть посилання, що починається з https:// або http://.',
    not_date: 'Введіть дату й час.',
    too_small: (bound: string) => `Введіть ${bound} або більше.`,
    too_large: (bound: string) => `Введіть ${bound} або менше.`,
    too_short: (bound: number) =>
      `Введіть щонайменше ${count(bound, { one: '# символ', few: '# символи', other: '# символів' })}.`,
    too_long: (bound: number) =>
      `Введіть щонайбільше ${count(bound, { one: '# символ', few: '# символи', other: '# символів' })}.`,
    too_few: (bound: number) =>
      `Додайте щонайменше ${count(bound, { one: '# запис', few: '# записи', other: '# записів' })}.`,
    too_many: (bound: number) =>
      `Залиште щонайбільше ${count(bound, { one: '# запис', few: '# записи', other: '# записів' })}.`,
  },
  ru: {
    required: 'Заполните это поле.',
    not_number: 'Введите число.',
    not_integer: 'Введите целое число.',
    not_time: 'Введите время, например 1:05 или 1:05.250.',
    not_color: 'Введите цвет, например #ffcc00.',
    not_url: 'Выберите файл или введите ссылку, которая начинается с https:// или http://.',
    not_date: 'Введите дату и время.',
    too_small: (bound: string) => `Введите ${bound} или больше.`,
    too_large: (bound: string) => `Введите ${bound} или меньше.`,
    too_short: (bound: number) =>
      `Введите не меньше ${count(bound, { one: '# символа', other: '# символов' })}.`,
    too_long: (bound: number) =>
      `Введите не больше ${count(bound, { one: '# символа', other: '# символов' })}.`,
    too_few: (bound: number) =>
      `Добавьте не меньше ${count(bound, { one: '# записи', other: '# записей' })}.`,
    too_many: (bound: number) =>
      `Оставьте не больше ${count(bound, { one: '# записи', other: '# записей' })}.`,
  },
})

function count(bound: number, forms: CountForms): string {
  return formatCount(bound, forms)
}

/** Returns the sentence that a field shows for its fault, in the language of the page. */
export function describeFault(fault: Fault, { unit_symbol }: Pick<Field, 'unit_symbol'>): string {
  const t = texts()
  if (!('bound' in fault)) return t[fault.kind]
  const { kind, bound } = fault
  if (kind === 'too_small' || kind === 'too_large') return t[kind](withUnit(bound, unit_symbol))
  return t[kind](bound)
}

/** Writes a number with its unit, such as "20 %" or "1.5 ×". */
export function withUnit(value: number, unit_symbol: string | null): string {
  return unit_symbol === null ? formatNumber(value) : `${formatNumber(value)} ${unit_symbol}`
}
