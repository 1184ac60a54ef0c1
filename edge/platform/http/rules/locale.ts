import { LOCALES, type Locale } from '../../../../shared/text/texts.ts'

/**
 * Returns the most preferred language that is supported, or English if there is none.
 * @param preference an Accept-Language header ("uk-UA,uk;q=0.9,en;q=0.5") or a single language tag.
 */
export function pickLocale(preference: string | null | undefined): Locale {
  const wanted = (preference ?? '')
    .split(',')
    .map((part) => {
      const [tag = '', ...parameters] = part.trim().toLowerCase().split(';')
      const weight = parameters.map((text) => /^\s*q=([0-9.]+)$/.exec(text)?.[1]).find(Boolean)
      return { language: tag.split('-')[0], weight: Number(weight ?? 1) }
    })
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)
  for (const { language } of wanted) {
    const known = LOCALES.find((locale) => locale === language)
    if (known) return known
  }
  return 'en'
}
