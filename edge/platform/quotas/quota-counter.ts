import { DurableObject } from 'cloudflare:workers'
import { acquireExactly, type ExactGrant, returnUse, type TimedUses } from './rules/exact.ts'
import { acquireLease, counterName, type Grant, type QuotaPolicy, type QuotaUse } from './rules/lease.ts'

type StoredUse = QuotaUse & { window_ms: number }
type StoredTimes = { uses: TimedUses[]; window_ms: number }
type Stored = StoredUse | StoredTimes

/** Expired counters are deleted after this time, so anonymous callers leave no data behind. */
const KEPT_MS = 60 * 60 * 1000

/** Counts the quotas of one subject in one Durable Object. The counts survive a restart. */
export class QuotaCounter extends DurableObject {
  private cleaning = false

  /**
   * Grants one lease for each policy, in order.
   * @param wanted the largest size of each lease.
   */
  async lease(policies: QuotaPolicy[], now: number, wanted: number[]): Promise<Grant[]> {
    const grants = policies.map((policy, index) => {
      const name = counterName(policy)
      const stored = this.ctx.storage.kv.get<StoredUse>(name)
      const { use, grant } = acquireLease(stored, policy, now, wanted[index])
      this.ctx.storage.kv.put(name, { ...use, window_ms: policy.window_ms } satisfies StoredUse)
      return grant
    })
    if (!this.cleaning) await this.beginCleaning()
    return grants
  }

  /** Counts one exact use of each policy. Returns whether each use is allowed, in the same order. */
  async acquireExactly(policies: QuotaPolicy[], now: number): Promise<ExactGrant[]> {
    const grants = policies.map((policy) => {
      const name = counterName(policy)
      const { uses, grant } = acquireExactly(this.readTimes(name)?.uses ?? [], policy, now)
      this.ctx.storage.kv.put(name, { uses, window_ms: policy.window_ms } satisfies StoredTimes)
      return grant
    })
    if (!this.cleaning) await this.beginCleaning()
    return grants
  }

  /** Returns the number of uses granted in the current window of each counter, including unspent leases. */
  async read(names: string[]): Promise<(QuotaUse | undefined)[]> {
    return names.map((name) => this.ctx.storage.kv.get<StoredUse>(name))
  }

  /** Refunds one exact use, such as after a successful sign-in. */
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

  /** Ignores a windowed count stored under the name of an exact one, because it contains no times. */
  private readTimes(name: string): StoredTimes | undefined {
    const stored = this.ctx.storage.kv.get<Stored>(name)
    return stored !== undefined && 'uses' in stored ? stored : undefined
  }

  /** Keeps an alarm that is already set: resetting it each time would postpone it forever. */
  private async beginCleaning(): Promise<void> {
    this.cleaning = true
    if ((await this.ctx.storage.getAlarm()) === null) await this.cleanAt(Date.now() + KEPT_MS)
  }

  private async cleanAt(time: number): Promise<void> {
    this.cleaning = true
    await this.ctx.storage.setAlarm(time)
  }
}

/** Returns when the last stored count expires. */
function endOf(stored: Stored): number {
  const latest = 'uses' in stored ? (stored.uses.at(-1)?.at ?? 0) : stored.window_start
  return latest + stored.window_ms
}
