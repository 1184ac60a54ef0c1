import type { SessionCaller } from '../accounts/rules/caller.ts'
import type { Deps } from '../deps.ts'
import {
  type ItemKind,
  nextId,
  promotionStatement,
  promotionsOfItem,
  readPackages,
  readPlans,
  readPromotions,
  type StoredPromotion,
} from '../offers/change-queries.ts'
import type { Promotion } from '../offers/rules/prices.ts'
import {
  changePromotion as change,
  openPromotion,
  type PromotionChange,
  type PromotionRefusal,
  retirePromotion as retire,
} from '../offers/rules/promotions.ts'
import { ApiError, toError } from '../platform/errors/api-error.ts'
import { isoTime } from '../platform/iso-time.ts'
import { administer } from './audit.ts'

/** Lists future, running and ended promotions, newest first. */
export async function listPromotions(deps: Deps) {
  return (await readPromotions(deps.db)).map(viewPromotion)
}

interface NewPromotion {
  item_kind: ItemKind
  item_id: number
  discount_pct: number
  starts_at?: number | undefined
  ends_at: number
}

/**
 * Creates a promotion. Throws 404 if the item is not on sale, 409 if the promotion overlaps another, and 422 for
 * invalid times.
 */
export function createPromotion(deps: Deps, caller: SessionCaller, asked: NewPromotion) {
  const { item_kind: itemKind, item_id: itemId } = asked
  return administer(deps, caller, {
    load: async () => {
      const [items, others, id] = await Promise.all([
        itemKind === 'plan' ? readPlans(deps.db) : readPackages(deps.db),
        promotionsOfItem(deps.db, itemKind, itemId),
        nextId(deps.db, 'promotions'),
      ])
      return { items, others, id }
    },
    decide: ({ items, others, id }, now) => {
      const isOnSale = items.some((item) => item.id === itemId && item.retiredAt === null)
      if (!isOnSale) throw new ApiError(`${itemKind}_not_found`)
      const promotion = orThrow(openPromotion(asked, others.map(toPromotion), now))
      const row = { id, itemKind, itemId, ...toTimes(promotion), createdAt: now }
      return changeOf(deps, 'create', null, row)
    },
  })
}

/** Changes a promotion. Throws 404, and 409 for an overlap or a change that is no longer allowed. */
export function changePromotion(deps: Deps, caller: SessionCaller, id: number, asked: PromotionChange) {
  return administer(deps, caller, {
    load: () => findPromotion(deps, id),
    decide: ({ row, others }, now) => {
      const next = orThrow(change(toPromotion(row), asked, others.map(toPromotion), now))
      return changeOf(deps, 'change', row, { ...row, ...toTimes(next) })
    },
  })
}

/** Ends or withdraws a promotion. Throws 404. */
export function retirePromotion(deps: Deps, caller: SessionCaller, id: number) {
  return administer(deps, caller, {
    load: () => findPromotion(deps, id),
    decide: ({ row }, now) =>
      changeOf(deps, 'retire', row, { ...row, ...toTimes(retire(toPromotion(row), now)) }),
  })
}

async function findPromotion(deps: Deps, id: number) {
  const all = await readPromotions(deps.db)
  const row = all.find((candidate) => candidate.id === id)
  if (row === undefined) throw new ApiError('promotion_not_found')
  const ofItem = all.filter(({ itemKind, itemId }) => itemKind === row.itemKind && itemId === row.itemId)
  return { row, others: ofItem.filter((candidate) => candidate.id !== id) }
}

function orThrow(decision: Promotion | PromotionRefusal): Promotion {
  if (!('refused' in decision)) return decision
  throw toError(decision.refused)
}

/** Returns the change to one promotion, with its audit entry. */
function changeOf(deps: Deps, verb: string, stored: StoredPromotion | null, row: StoredPromotion) {
  const [before, after] = [stored && viewPromotion(stored), viewPromotion(row)]
  const isSame = JSON.stringify(before) === JSON.stringify(after)
  return {
    statements: [promotionStatement(deps.db, row)],
    entries: isSame ? [] : [{ action: `promotion.${verb}`, target: `promotion:${row.id}`, before, after }],
    answer: after,
  }
}

function toPromotion({ discountPct, startsAt, endsAt }: StoredPromotion): Promotion {
  return { discount_pct: discountPct, starts_at: startsAt, ends_at: endsAt }
}

function toTimes({ discount_pct, starts_at, ends_at }: Promotion) {
  return { discountPct: discount_pct, startsAt: starts_at, endsAt: ends_at }
}

function viewPromotion(row: StoredPromotion) {
  return {
    id: row.id,
    item_kind: row.itemKind,
    item_id: row.itemId,
    discount_pct: row.discountPct,
    starts_at: isoTime(row.startsAt),
    ends_at: isoTime(row.endsAt),
    created_at: isoTime(row.createdAt),
  }
}
