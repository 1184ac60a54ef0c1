import * as vat from 'jsvat'

const COUNTRIES = Object.values(vat).filter((value) => typeof value === 'object' && 'calcFn' in value)
const CHECKED = COUNTRIES.flatMap(({ codes }) => codes.slice(0, 1))
/** Countries whose numbers are not known: letters and digits, with the usual separators. */
const OTHER = /^[A-Z0-9][A-Z0-9 ./-]{3,29}$/i

/**
 * Checks the form of a VAT id, with its check digits where the country is known. It does not ask whether the id exists.
 * @param country ISO 3166-1 code of the buyer; an id of another known country is accepted, as companies can have several.
 */
export function isVatId(id: string, country: string | null): boolean {
  if (vat.checkVAT(id, COUNTRIES).isValid) return true
  return country !== null && !CHECKED.includes(country) && OTHER.test(id)
}
