import type { Seller } from '../receipts/rules/content.ts'
import type { Settings } from './settings.ts'

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
