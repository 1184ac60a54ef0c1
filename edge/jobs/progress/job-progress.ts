import { DurableObject } from 'cloudflare:workers'
import {
  applyBeat,
  type Beat,
  type BeatVerdict,
  confirmBeat,
  FORGET_MS,
  isStoreDue,
  judgeBeat,
  type RunningAttempt,
} from './rules/running-attempt.ts'

/**
 * Holds the progress of a share of the running jobs, so that reports do not write to the database. The state is in
 * memory; disk has a copy that may be half a minute old.
 */
export class JobProgress extends DurableObject {
  readonly #attempts: Map<string, RunningAttempt>
  #cleaning = false

  constructor(context: DurableObjectState, env: object) {
    super(context, env)
    this.#attempts = new Map(context.storage.kv.list<RunningAttempt>())
  }

  /** Accepts the progress of an attempt that the database has confirmed. */
  async beat(job_id: string, beat: Beat, now: number): Promise<BeatVerdict> {
    const known = this.#attempts.get(job_id)
    const verdict = judgeBeat(known, beat, now)
    if (verdict === 'accept' && known !== undefined) this.#put(job_id, applyBeat(known, beat, now))
    return verdict
  }

  /** Records a report after the database has confirmed its attempt. */
  async confirm(job_id: string, beat: Beat, now: number): Promise<void> {
    this.#put(job_id, confirmBeat(this.#attempts.get(job_id), beat, now))
    if (!this.#cleaning) await this.#beginCleaning()
  }

  /** Forgets jobs that have ended, so that the database decides about further reports. */
  async forget(job_ids: string[]): Promise<void> {
    for (const job_id of job_ids) this.#remove(job_id)
  }

  /** Returns what is known of these jobs. */
  async read(job_ids: string[]): Promise<{ job_id: string; attempt: RunningAttempt }[]> {
    return job_ids.flatMap((job_id) => {
      const attempt = this.#attempts.get(job_id)
      return attempt === undefined ? [] : [{ job_id, attempt }]
    })
  }

  override async alarm(): Promise<void> {
    const before = Date.now() - FORGET_MS
    for (const [job_id, { heard_at }] of this.#attempts) if (heard_at < before) this.#remove(job_id)
    this.#cleaning = false
    if (this.#attempts.size > 0) await this.#beginCleaning()
  }

  #put(job_id: string, attempt: RunningAttempt): void {
    const isDue = isStoreDue(attempt)
    const stored = isDue ? { ...attempt, stored_at: attempt.heard_at } : attempt
    this.#attempts.set(job_id, stored)
    if (isDue) this.ctx.storage.kv.put(job_id, stored)
  }

  #remove(job_id: string): void {
    if (this.#attempts.delete(job_id)) this.ctx.storage.kv.delete(job_id)
  }

  /** Keeps an alarm that is already set: resetting it each time would postpone it forever. */
  async #beginCleaning(): Promise<void> {
    this.#cleaning = true
    if ((await this.ctx.storage.getAlarm()) === null) await this.ctx.storage.setAlarm(Date.now() + FORGET_MS)
  }
}
