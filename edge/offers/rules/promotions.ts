import { faultAt } from '../../platform/errors/rules/field-faults.ts'
import type { Refusal } from '../../platform/errors/rules/table.ts'
import type { Promotion } from './prices.ts'

export interface PromotionChange {
  discount_pct?: number | undefined
  starts_at?: number | undefined
  ends_at?: number | undefined
}

export type PromotionRefusal = {
  refused: Refusal<'promotion_over' | 'promotion_begun' | 'promotion_overlaps' | 'validation_failed'>
}

/** Validates a new promotion: it must start now or later, and end after it starts. */
export function openPromotion(
  asked: { discount_pct: number; starts_at?: number | undefined; ends_at: number },
  others: readonly Promotion[],
  now: number,
): Promotion | PromotionRefusal {
  const promotion = { ...asked, starts_at: asked.starts_at ?? now }
  return refuseSpan(promotion, now) ?? refuseOverlap(promotion, others) ?? promotion
}

/**
 * Changes a promotion. Once it has started, only an earlier end is allowed, so prices already shown and charged
 * remain correct.
 */
export function changePromotion(
  current: Promotion,
  change: PromotionChange,
  others: readonly Promotion[],
  now: number,
): Promotion | PromotionRefusal {
  const next = {
    discount_pct: change.discount_pct ?? current.discount_pct,
    starts_at: change.starts_at ?? current.starts_at,
    ends_at: change.ends_at ?? current.ends_at,
  }
  if (current.ends_at <= now) return conflict('promotion_over')
  if (now < current.starts_at) return refuseSpan(next, now) ?? refuseOverlap(next, others) ?? next
  const isShortened = next.ends_at <= current.ends_at
  if (next.discount_pct !== current.discount_pct || next.starts_at !== current.starts_at || !isShortened) {
    return conflict('promotion_begun')
  }
  return next.ends_at < now ? invalid('ends_at', 'in_the_past') : next
}

/** Ends a promotion now, or withdraws one that has not started. A promotion that has already ended is not changed. */
export function retirePromotion(current: Promotion, now: number): Promotion {
  const end = Math.max(current.starts_at, now)
  return { ...current, ends_at: Math.min(current.ends_at, end) }
}

function refuseSpan({ starts_at, ends_at }: Promotion, now: number): PromotionRefusal | null {
  if (starts_at < now) return invalid('starts_at', 'in_the_past')
  return ends_at <= starts_at ? invalid('ends_at', 'ends_before_start') : null
}

function refuseOverlap(promotion: Promotion, others: readonly Promotion[]): PromotionRefusal | null {
  const { starts_at, ends_at } = promotion
  const overlaps = others.some(
    (other) => other.starts_at < other.ends_at && starts_at < other.ends_at && other.starts_at < ends_at,
  )
  return overlaps ? conflict('promotion_overlaps') : null
}

function conflict(code: 'promotion_over' | 'promotion_begun' | 'promotion_overlaps'): PromotionRefusal {
  return { refused: { code } }
}

function invalid(field: string, fault: 'in_the_past' | 'ends_before_start'): PromotionRefusal {
  return { refused: { code: 'validation_failed', facts: { faults: [faultAt(['body', field], fault)] } } }
}
