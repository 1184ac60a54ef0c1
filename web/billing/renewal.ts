/** What an emailed link shows about a renewal. Contract: Subscriptions. */
export interface LinkedRenewal {
  plan_name: string
  renewal_status: string
  renews_at: string | null
  renewal_amount_cents: number | null
  renewal_currency: string | null
  grace_until: string | null
  period_end: string
  can_cancel: boolean
}

export type RenewalNotice =
  | { kind: 'ended'; date: string }
  | { kind: 'paused'; cents: number; currency: string }
  | { kind: 'renews' | 'past_due'; cents: number; currency: string; date: string }

/** Decides what to say about a renewal: what happens next, when, and for how much. */
export function describeRenewal(renewal: LinkedRenewal): RenewalNotice {
  const { can_cancel, renewal_status, renewal_amount_cents, renewal_currency } = renewal
  if (!can_cancel) return { kind: 'ended', date: renewal.period_end }
  const price = { cents: renewal_amount_cents ?? 0, currency: renewal_currency ?? 'USD' }
  if (renewal_status === 'paused') return { kind: 'paused', ...price }
  if (renewal_status === 'past_due') {
    return { kind: 'past_due', ...price, date: renewal.grace_until ?? renewal.period_end }
  }
  return { kind: 'renews', ...price, date: renewal.renews_at ?? renewal.period_end }
}
