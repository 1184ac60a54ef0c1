import { DurableObject } from 'cloudflare:workers'

interface KnownQueue {
  queue_id: string
  /** When it replaced a lost queue; 0 for the first one. */
  replaced_at: number
}

/** Remembers the id of the fleet's queue in one Durable Object. */
export class FleetQueue extends DurableObject {
  /** Returns when the fleet last lost its queue; 0 if never. */
  async note(queue_id: string, now: number): Promise<number> {
    const known = this.ctx.storage.kv.get<KnownQueue>('queue')
    if (known?.queue_id === queue_id) return known.replaced_at
    const queue = { queue_id, replaced_at: known === undefined ? 0 : now }
    this.ctx.storage.kv.put('queue', queue satisfies KnownQueue)
    return queue.replaced_at
  }
}
