import type { TaxedTotal } from '../payments/rules/taxed-total.ts'
import type { StoredOrder } from './queries.ts'

/** Returns the fields of an order that contain what the payer was charged with tax. */
export function chargedFields(
  charged: TaxedTotal | null,
): Pick<StoredOrder, 'totalCents' | 'taxCents' | 'totalCurrency'> {
  return {
    totalCents: charged?.total_cents ?? null,
    taxCents: charged?.tax_cents ?? null,
    totalCurrency: charged?.currency ?? null,
  }
}
