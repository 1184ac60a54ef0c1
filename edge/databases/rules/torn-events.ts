/** What the databases know about an unmatched event. */
export interface EventFacts {
  /** The database that keeps the event. */
  database: number
  id: number
  cause: string
  outcome: string | null
  /** Whether its credits are in the outbox. */
  is_pending: boolean
  /** Whether its credits are in a ledger. */
  is_booked: boolean
  /** Whether a database knows that it was applied to a term. */
  is_applied: boolean
  /** Whether there is a term to which it can be applied. */
  has_term: boolean
  /** What an administrator granted; null if nothing was, or the account is in no database. */
  grant: { account_id: number; credits: number; note: string } | null
}

export type TornEvent = Pick<EventFacts, 'database' | 'id' | 'cause'> &
  (
    | { fault: 'not_granted'; grant: NonNullable<EventFacts['grant']> }
    | { fault: 'not_applied' | 'not_settled' }
  )

/** Returns what is wrong with an event; null if its state and its effect agree. */
export function judgeEvent({ outcome, grant, ...facts }: EventFacts): TornEvent | null {
  const { database, id, cause } = facts
  const event = { database, id, cause }
  if (outcome === null) return facts.is_booked ? { ...event, fault: 'not_settled' } : null
  if (outcome === 'applied') {
    return facts.has_term && !facts.is_applied ? { ...event, fault: 'not_applied' } : null
  }
  const isLost = !facts.is_booked && !facts.is_pending && grant !== null
  return isLost ? { ...event, fault: 'not_granted', grant } : null
}
