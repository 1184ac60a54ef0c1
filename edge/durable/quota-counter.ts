import { DurableObject } from 'cloudflare:workers'
import { counterName, type Grant, type QuotaPolicy, type QuotaUse, takeUses } from '../rules/quota.ts'

/** A wish for uses of one policy. */
export type QuotaWish = QuotaPolicy & { wanted: number | 'lease' }

type StoredUse = QuotaUse & { window_ms: number }

/** Counters of windows that ended are removed this long after, so that strangers leave nothing behind. */
const KEPT_MS = 60 * 60 * 1000

/** One subject's quotas, counted in one place in the world. What is written outlives a restart. */
export class QuotaCounter extends DurableObject {
  private cleaning = false

  /** @returns a grant for each wish, in their order. */
  async take(wishes: QuotaWish[], now: number): Promise<Grant[]> {
    const grants = wishes.map((wish) => {
      const name = counterName(wish)
      const { use, grant } = takeUses(this.ctx.storage.kv.get<StoredUse>(name), wish, wish.wanted, now)
      this.ctx.storage.kv.put(name, { ...use, window_ms: wish.window_ms } satisfies StoredUse)
      return grant
    })
    if (!this.cleaning) await this.beginCleaning()
    return grants
  }

  /** @returns the uses that were given out of each counter's present window, unspent leases among them. */
  async read(names: string[]): Promise<(QuotaUse | undefined)[]> {
    return names.map((name) => this.ctx.storage.kv.get<StoredUse>(name))
  }

  /** Gives one use back, e.g. that of a sign-in that succeeded. */
  async giveBack(name: string): Promise<void> {
    const use = this.ctx.storage.kv.get<StoredUse>(name)
    if (use !== undefined && use.used > 0) this.ctx.storage.kv.put(name, { ...use, used: use.used - 1 })
  }

  override async alarm(): Promise<void> {
    const before = Date.now() - KEPT_MS
    const kept = [...this.ctx.storage.kv.list<StoredUse>()].filter(([name, { window_start, window_ms }]) => {
      const isOver = window_start + window_ms <= before
      if (isOver) this.ctx.storage.kv.delete(name)
      return !isOver
    })
    if (kept.length > 0) return this.cleanAt(Date.now() + KEPT_MS)
    this.cleaning = false
    await this.ctx.storage.deleteAll()
  }

  /** After a restart the alarm may be set: set anew each time, it would never come. */
  private async beginCleaning(): Promise<void> {
    this.cleaning = true
    if ((await this.ctx.storage.getAlarm()) === null) await this.cleanAt(Date.now() + KEPT_MS)
  }

  private async cleanAt(time: number): Promise<void> {
    this.cleaning = true
    await this.ctx.storage.setAlarm(time)
  }
}
