import { TtlCache } from '../platform/ttl-cache.ts'

/** Caches balances by account for `/me/ping`. A change in this isolate invalidates the account's entry at once. */
export const balances = new TtlCache<number, number>({ fresh_ms: 1000 })
