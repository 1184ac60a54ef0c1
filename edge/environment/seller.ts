import type { Settings } from './settings.ts'

/** The company that sells, as receipts and confirmations name it. Real payments require its settings. */
export interface Seller {
  name: string
  /** Has line breaks between its lines; '' if unknown. */
  address: string
  /** ISO 3166-1 code; null if unknown. */
  country: string | null
  vat_id: string | null
  email: string | null
}

type SellerSettings = Pick<
  Settings,
  'PUBLIC_URL' | 'SELLER_NAME' | 'SELLER_ADDRESS' | 'SELLER_COUNTRY' | 'SELLER_VAT_ID' | 'SELLER_EMAIL'
>

/** Returns the seller. Without its settings, as with a payment sandbox, it is named after the service's host. */
export function sellerOf(env: SellerSettings): Seller {
  return {
    name: env.SELLER_NAME ?? new URL(env.PUBLIC_URL).host,
    address: env.SELLER_ADDRESS ?? '',
    country: env.SELLER_COUNTRY ?? null,
    vat_id: env.SELLER_VAT_ID ?? null,
    email: env.SELLER_EMAIL ?? null,
  }
}
