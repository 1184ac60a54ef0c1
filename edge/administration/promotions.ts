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
 * Creates a promotion. Throws 404 for an item that is not on sale, 409 for an overlap, 422 for invalid times.
 */
export function createPromotion(deps: Deps, caller: SessionCaller, asked: NewPromotion) {
  return administer(deps, caller, async (now) => {
    const items = await (asked.item_kind === 'plan' ? readPlans(deps.db) : readPackages(deps.db))
    const isOnSale = items.some(({ id, retiredAt }) => id === asked.item_id && retiredAt === null)
    if (!isOnSale) throw new ApiError(`${asked.item_kind}_not_found`)
    const others = await promotionsOfItem(deps.db, asked.item_kind, asked.item_id)
    const promotion = accepted(openPromotion(asked, others.map(toPromotion), now))
    const id = await nextId(deps.db, 'promotions')
    const { item_kind: itemKind, item_id: itemId } = asked
    const row = { id, itemKind, itemId, ...toTimes(promotion), createdAt: now }
    return writing(deps, 'create', null, row)
  })
}

/** Changes a promotion. Throws 404, and 409 for an overlap or a change no longer allowed. */
export function changePromotion(deps: Deps, caller: SessionCaller, id: number, asked: PromotionChange) {
  return administer(deps, caller, async (now) => {
    const { row, others } = await findPromotion(deps, id)
    const next = accepted(change(toPromotion(row), asked, others.map(toPromotion), now))
    return writing(deps, 'change', row, { ...row, ...toTimes(next) })
  })
}

/** Ends or withdraws a promotion. Throws 404. */
export function retirePromotion(deps: Deps, caller: SessionCaller, id: number) {
  return administer(deps, caller, async (now) => {
    const { row } = await findPromotion(deps, id)
    return writing(deps, 'retire', row, { ...row, ...toTimes(retire(toPromotion(row), now)) })
  })
}

async function findPromotion(deps: Deps, id: number) {
  const all = await readPromotions(deps.db)
  const row = all.find((candidate) => candidate.id === id)
  if (row === undefined) throw new ApiError('promotion_not_found')
  const ofItem = all.filter(({ itemKind, itemId }) => itemKind === row.itemKind && itemId === row.itemId)
  return { row, others: ofItem.filter((candidate) => candidate.id !== id) }
}

function accepted(judged: Promotion | PromotionRefusal): Promotion {
  if (!('refused' in judged)) return judged
  throw toError(judged.refused)
}

function writing(deps: Deps, verb: string, stored: StoredPromotion | null, row: StoredPromotion) {
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
