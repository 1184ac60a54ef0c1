import { z } from 'zod'
import type { Deps } from '../deps.ts'
import type { Statement } from '../platform/database/client.ts'
import type { Effect } from '../platform/outbox/queries.ts'
import { recordOrphanedMandateStatements } from './orphaned-mandate-queries.ts'

const MandateRequest = z.object({ provider: z.string(), mandate: z.string() })
export type MandateRequest = z.infer<typeof MandateRequest>

/** Returns the effect that ends a mandate at its provider, so the provider stops charging. */
export function endMandateEffect(request: MandateRequest): Effect {
  const { provider, mandate } = request
  return { id: `mandate:${provider}:${mandate}`, kind: 'mandate', payload: { provider, mandate } }
}

/** Ends a mandate that renews no term, and updates the order whose payment created it. */
export function endOrphanedMandate(
  { db }: Pick<Deps, 'db'>,
  { id: order_id, provider }: { id: string; provider: string },
  mandate: string | null,
  now: number,
): { statements: Statement[]; effects: Effect[] } {
  if (mandate === null) return { statements: [], effects: [] }
  return {
    statements: recordOrphanedMandateStatements(db, { provider, mandate, order_id }, now),
    effects: [endMandateEffect({ provider, mandate })],
  }
}

/**
 * Asks the provider to end a mandate. A mandate that has already ended is not an error. Throws if the provider is
 * unreachable.
 */
export async function endMandate({ payments }: Pick<Deps, 'payments'>, payload: unknown): Promise<void> {
  const { provider: name, mandate } = MandateRequest.parse(payload)
  const provider = payments.find((candidate) => candidate.name === name)
  if (provider === undefined) throw new Error(`the provider ${name} is not configured`)
  await provider.cancelMandate(mandate)
}
