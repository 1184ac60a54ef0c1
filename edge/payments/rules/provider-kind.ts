/** A card provider is a reseller, who adds tax and issues receipts. Crypto is paid to us, and may fall short. */
export const PROVIDER_KINDS = ['card', 'crypto'] as const
export type ProviderKind = (typeof PROVIDER_KINDS)[number]
