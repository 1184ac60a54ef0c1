import { DurableObject } from 'cloudflare:workers'
import { type ExactGrant, returnUse, type TimedUses, takeExactly } from './rules/exact.ts'
import { counterName, type Grant, type QuotaPolicy, type QuotaUse, takeLease } from './rules/lease.ts'

type StoredUse = QuotaUse & { window_ms: number }
type StoredTimes = { uses: TimedUses[]; window_ms: number }
type Stored = StoredUse | StoredTimes

/** Counters of windows that ended are removed this long after, so that strangers leave nothing behind. */
const KEPT_MS = 60 * 60 * 1000

/** One subject's quotas, counted in one place in the world. What is written outlives a restart. */
export class QuotaCounter extends DurableObject {
  private cleaning = false

  /** @returns a lease of each policy, in their order. */
  async take(policies: QuotaPolicy[], now: number): Promise<Grant[]> {
    const grants = policies.map((policy) => {
      const name = counterName(policy)
      const { use, grant } = takeLease(this.ctx.storage.kv.get<StoredUse>(name), policy, now)
      this.ctx.storage.kv.put(name, { ...use, window_ms: policy.window_ms } satisfies StoredUse)
      return grant
    })
    if (!this.cleaning) await this.beginCleaning()
    return grants
  }

  /** @returns whether one use of each policy was let through, in their order. */
  async takeExactly(policies: QuotaPolicy[], now: number): Promise<ExactGrant[]> {
    const grants = policies.map((policy) => {
      const name = counterName(policy)
      const { uses, grant } = takeExactly(this.readTimes(name)?.uses ?? [], policy, now)
      this.ctx.storage.kv.put(name, { uses, window_ms: policy.window_ms } satisfies StoredTimes)
      return grant
    })
    if (!this.cleaning) await this.beginCleaning()
    return grants
  }

  /** @returns the uses that were given out of each counter's present window, unspent leases among them. */
  async read(names: string[]): Promise<(QuotaUse | undefined)[]> {
    return names.map((name) => this.ctx.storage.kv.get<StoredUse>(name))
  }

  /** Gives one exact use back, e.g. that of a sign-in that succeeded. */
  async giveBack(name: string, at: number): Promise<void> {
    const times = this.readTimes(name)
    if (times === undefined) return
    const { uses, window_ms } = times
    this.ctx.storage.kv.put(name, { uses: returnUse(uses, window_ms, at), window_ms } satisfies StoredTimes)
  }

  override async alarm(): Promise<void> {
    const before = Date.now() - KEPT_MS
    const kept = [...this.ctx.storage.kv.list<Stored>()].filter(([name, stored]) => {
      const isOver = endOf(stored) <= before
      if (isOver) this.ctx.storage.kv.delete(name)
      return !isOver
    })
    if (kept.length > 0) return this.cleanAt(Date.now() + KEPT_MS)
    this.cleaning = false
    await this.ctx.storage.deleteAll()
  }

  /** A count by windows that is stored under the name of an exact one tells no times: it counts for nothing. */
  private readTimes(name: string): StoredTimes | undefined {
    const stored = this.ctx.storage.kv.get<Stored>(name)
    return stored !== undefined && 'uses' in stored ? stored : undefined
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

/** When nothing that is stored counts any more. */
function endOf(stored: Stored): number {
  const latest = 'uses' in stored ? (stored.uses.at(-1)?.at ?? 0) : stored.window_start
  return latest + stored.window_ms
}
