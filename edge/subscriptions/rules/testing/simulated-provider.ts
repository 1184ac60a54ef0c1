/** A provider that charges mandates as unreliably as real providers do. Times are in milliseconds. */
const HOUR_MS = 60 * 60 * 1000
const DAY_MS = 24 * HOUR_MS

export interface SimulatedMandate {
  id: string
  cycle_ms: number
  first_charge_at: number
  /** null if there are no further charges. */
  next_charge_at: number | null
  /** The reference of the charge to retry. A new charge gets a new reference. */
  open_reference: string | null
  charges: { reference: string; at: number }[]
  /** How many more charges to a failing card will fail. */
  failures: number
}

export interface SimulatedEvent {
  mandate: string
  reference: string
  state: 'paid' | 'failed'
  occurred_at: number
  /** When the event is delivered. Events may be late, repeated and out of order. */
  delivered_at: number
}

type Pick = (below: number) => number

/** Charges a mandate if it is due, and returns the events. Some events occur twice, some late, some never. */
export function chargeMandate(mandate: SimulatedMandate, now: number, pick: Pick): SimulatedEvent[] {
  const events: SimulatedEvent[] = []
  while (mandate.next_charge_at !== null && mandate.next_charge_at <= now) {
    const at = mandate.next_charge_at
    const reference = mandate.open_reference ?? `${mandate.id}:${mandate.charges.length + 1}`
    if (mandate.failures === 0 && pick(5) === 0) mandate.failures = 1 + pick(10)
    const isPaid = mandate.failures === 0
    if (!isPaid) mandate.failures -= 1
    if (isPaid) {
      mandate.charges.push({ reference, at })
      mandate.open_reference = null
      // Retries do not shift the schedule.
      mandate.next_charge_at = mandate.first_charge_at + mandate.charges.length * mandate.cycle_ms
    } else {
      mandate.open_reference = reference
      mandate.next_charge_at = at + (1 + pick(3)) * DAY_MS
    }
    const event = {
      mandate: mandate.id,
      reference,
      state: isPaid ? 'paid' : 'failed',
      occurred_at: at,
    } as const
    const times = pick(20) === 0 ? 0 : 1 + pick(2)
    for (let count = 0; count < times; count++)
      events.push({ ...event, delivered_at: at + pick(30) * HOUR_MS })
  }
  return events
}

export function openMandate(id: string, now: number, cycle_ms: number): SimulatedMandate {
  const first = now + cycle_ms
  return {
    id,
    cycle_ms,
    first_charge_at: first,
    next_charge_at: first,
    open_reference: null,
    charges: [],
    failures: 0,
  }
}
