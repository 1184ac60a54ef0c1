import * as vat from 'jsvat'

const COUNTRIES = Object.values(vat).filter((value) => typeof value === 'object' && 'calcFn' in value)
const CHECKED = COUNTRIES.flatMap(({ codes }) => codes.slice(0, 1))
const NORTHERN_IRELAND = /^XI/i
/** Ids of countries that jsvat does not support: ASCII letters and digits, with the usual separators. */
const OTHER = /^[A-Z0-9][A-Z0-9 ./-]{3,29}$/i

/**
 * Checks the form of a VAT id, with its check digits where jsvat supports the country. It does not ask whether the id exists.
 * @param country ISO 3166-1 code of the buyer; an id of another supported country is accepted, as companies can have several.
 */
export function isVatId(id: string, country: string | null): boolean {
  if (parseSupported(id) !== null) return true
  return country !== null && !CHECKED.includes(country) && OTHER.test(id)
}

/** Formats the id of a supported country in uppercase without separators. Returns any other id unchanged. */
export function formatVatId(id: string): string {
  return parseSupported(id) ?? id
}

function parseSupported(id: string): string | null {
  // Northern Ireland has the numbers of Great Britain, with a code of its own.
  const { isValid, value } = vat.checkVAT(id.replace(NORTHERN_IRELAND, 'GB'), COUNTRIES)
  if (!isValid || value === undefined) return null
  return NORTHERN_IRELAND.test(id) ? value.replace(/^GB/, 'XI') : value
}
