import { fromFacts, type Texts, type TextsFrom } from '../../../../shared/text/texts.ts'

export interface ConflictFacts {
  low: string
  low_value: unknown
  high: string
  high_value: unknown
}

/** Faults of offers, settings, credits and billing details. */
export const OFFER_FAULTS = {
  in_the_past: {
    en: 'The time is in the past. Choose a later one.',
    uk: 'Цей час уже минув. Виберіть пізніший.',
    ru: 'Это время уже прошло. Выберите более позднее.',
  },
  ends_before_start: {
    en: 'ends_at is not after starts_at. Choose a later end.',
    uk: 'ends_at не пізніше за starts_at. Виберіть пізніше завершення.',
    ru: 'ends_at не позже starts_at. Выберите более позднее окончание.',
  },
  unknown_setting: {
    en: 'Setting not found. Use a name from the list of settings.',
    uk: 'Налаштування не знайдено. Використайте назву зі списку налаштувань.',
    ru: 'Настройка не найдена. Используйте имя из списка настроек.',
  },
  settings_conflict: fromFacts({
    en: ({ low, low_value, high, high_value }: ConflictFacts) =>
      `${low} would be ${low_value}, which is more than ${high} (${high_value}). Change both together.`,
    uk: ({ low, low_value, high, high_value }) =>
      `Значення ${low} було б ${low_value}, тобто більше за ${high} (${high_value}). Змініть обидва разом.`,
    ru: ({ low, low_value, high, high_value }) =>
      `Значение ${low} было бы ${low_value}, то есть больше ${high} (${high_value}). Измените оба вместе.`,
  }),
  zero_credits: {
    en: 'credits is 0. Send a positive number to add credits, or a negative number to remove them.',
    uk: 'Значення credits дорівнює 0. Надішліть додатне число, щоб нарахувати бонуси, або від’ємне, щоб списати.',
    ru: 'Значение credits равно 0. Отправьте положительное число, чтобы начислить бонусы, или отрицательное, чтобы списать.',
  },
  note_missing: {
    en: 'note is missing. Give the reason for removing credits.',
    uk: 'Немає note. Укажіть причину списання бонусів.',
    ru: 'Нет note. Укажите причину списания бонусов.',
  },
  unknown_country: {
    en: 'Not a country. Use an ISO 3166-1 code such as DE.',
    uk: 'Такої країни немає. Укажіть код ISO 3166-1, наприклад DE.',
    ru: 'Такой страны нет. Укажите код ISO 3166-1, например DE.',
  },
  invalid_vat_id: {
    en: 'Not a VAT id of this country. Check it, and start it with the country code.',
    uk: 'Це не номер платника ПДВ цієї країни. Перевірте його й почніть із коду країни.',
    ru: 'Это не номер плательщика НДС этой страны. Проверьте его и начните с кода страны.',
  },
  duplicate_term: {
    en: 'Two terms have the same number of months. List each once.',
    uk: 'Два періоди мають однакову кількість місяців. Укажіть кожен один раз.',
    ru: 'Два периода имеют одинаковое число месяцев. Укажите каждый один раз.',
  },
  discounted_month: {
    en: 'A single month cannot have a discount. Use a promotion instead.',
    uk: 'Один місяць не може мати знижки. Натомість створіть акцію.',
    ru: 'Один месяц не может иметь скидки. Вместо этого создайте акцию.',
  },
  settlement_fields: {
    en: 'grant requires account_id and credits; dismiss accepts neither.',
    uk: 'Для grant потрібні account_id і credits; dismiss не приймає жодного з них.',
    ru: 'Для grant нужны account_id и credits; dismiss не принимает ни одного из них.',
  },
} satisfies Record<string, Texts | TextsFrom<never>>
