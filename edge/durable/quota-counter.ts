import { DurableObject } from 'cloudflare:workers'
import { type Grant, type QuotaPolicy, type QuotaUse, takeUses } from '../rules/quota.ts'

/** A wish for uses of one policy. */
export type QuotaWish = QuotaPolicy & { wanted: number }

/** One subject's quotas, counted in one place in the world. What is written outlives a restart. */
export class QuotaCounter extends DurableObject {
  /** @returns a grant for each wish, in their order. */
  async take(wishes: QuotaWish[]): Promise<Grant[]> {
    const now = Date.now()
    return wishes.map((wish) => {
      const known = this.ctx.storage.kv.get<QuotaUse>(wish.name)
      const { use, grant } = takeUses(known, wish, wish.wanted, now)
      this.ctx.storage.kv.put(wish.name, use)
      return grant
    })
  }

  /** Gives one use back, e.g. after a sign-in that succeeded. */
  async forget(name: string): Promise<void> {
    this.ctx.storage.kv.delete(name)
  }
}
