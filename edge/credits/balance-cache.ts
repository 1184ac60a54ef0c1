import { TtlCache } from '../platform/ttl-cache.ts'

/** Balances by account, as `/me/ping` shows them again; a change made in this isolate ends one at once. */
export const balances = new TtlCache<number, number>({ fresh_ms: 1000 })
