import { z } from '@hono/zod-openapi'
import { schemaFault } from '../platform/errors/rules/field-faults.ts'
import { plainText } from '../platform/http/schemas/plain-text.ts'
import { isVatId } from './vat-id.ts'

const text = (length_max: number, description: string, example: string) =>
  plainText(length_max).nullable().default(null).openapi({ description, example })

const REGIONS = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })

/** Codes of ISO 3166-1 that are for unions of countries, or for users, and which have names too. */
const NO_COUNTRY = /^(AA|E[UZ]|Q[M-Z]|UN|X[A-JL-Z]|ZZ)$/

const country = z
  .string()
  .refine(
    (code) => /^[A-Z]{2}$/.test(code) && !NO_COUNTRY.test(code) && REGIONS.of(code) !== undefined,
    schemaFault('unknown_country'),
  )
  .nullable()
  .default(null)
  .openapi({ description: 'Country as an ISO 3166-1 code', example: 'DE' })

/** Fields that are left out are null, so the details are always replaced as a whole. */
export const BillingDetails = z
  .strictObject({
    name: text(200, 'Name of the person or company', 'Ada Lovelace Ltd'),
    address: text(300, 'Street and number', 'Musterstraße 12'),
    postal_code: text(20, 'Postal code', '10115'),
    city: text(100, 'City', 'Berlin'),
    country,
    vat_id: text(32, 'VAT id; its form is checked, with the check digits of known countries', 'DE136695976'),
  })
  .refine(({ vat_id, country }) => vat_id === null || isVatId(vat_id, country), {
    ...schemaFault('invalid_vat_id'),
    path: ['vat_id'],
  })
  .openapi('BillingDetails')

export const ReceiptPath = z.object({ token: z.string().min(1).max(64).describe('Token of the receipt') })

export const ReceiptQuery = z.object({
  format: z.enum(['html', 'pdf']).default('html').describe('A page or a PDF').openapi({ example: 'pdf' }),
})
