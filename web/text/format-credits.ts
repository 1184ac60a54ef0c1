import { type CountForms, formatCount } from './format.ts'
import { type Locale, locale } from './locale.ts'

const FORMS: Record<Locale, CountForms> = {
  en: { one: '# bonus', other: '# bonuses' },
  uk: { one: '# бонус', few: '# бонуси', many: '# бонусів', other: '# бонуса' },
  ru: { one: '# бонус', few: '# бонуса', many: '# бонусов', other: '# бонуса' },
}

/** Writes a number of credits, which users know as bonuses. */
export function formatCredits(credits: number): string {
  return formatCount(credits, FORMS[locale.value])
}
