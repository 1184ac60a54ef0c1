/**
 * What a payer was charged or paid back in total, with the tax in it, as the provider reports it. The currency is the one
 * that the payer paid in, which can differ from that of the order.
 */
export interface TaxedTotal {
  total_cents: number
  tax_cents: number
  currency: string
}
