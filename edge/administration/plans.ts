import type { SessionCaller } from '../accounts/rules/caller.ts'
import type { Deps } from '../deps.ts'
import {
  listPriceStatement,
  nextId,
  planStatements,
  readPlans,
  type StoredPlan,
} from '../offers/change-queries.ts'
import { type Badge, type Term, withOneMonth } from '../offers/rules/prices.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { isoTime } from '../platform/iso-time.ts'
import { administer } from './audit.ts'

interface PlanFields {
  name: string
  price_cents: number
  period_credits: number
  period_days: number
  priority: number
  requests_per_minute: number
  requests_per_day: number
  in_flight_max: number
  throttled: boolean
  badge: Badge | null
  terms: Term[]
}
type Optional<Fields> = { [Name in keyof Fields]?: Fields[Name] | undefined }

/** Lists all plans, including retired ones. */
export async function listAllPlans(deps: Deps) {
  return (await readPlans(deps.db)).map(viewPlan)
}

/** Creates a plan. Throws 409 if the slug is in use. */
export function createPlan(deps: Deps, caller: SessionCaller, asked: PlanFields & { slug: string }) {
  return administer(deps, caller, {
    load: async () => {
      const [plans, id] = await Promise.all([readPlans(deps.db), nextId(deps.db, 'plans')])
      return { plans, id }
    },
    decide: ({ plans, id }, now) => {
      const isSlugUsed = plans.some(({ slug }) => slug === asked.slug)
      if (isSlugUsed) throw new ApiError('slug_taken', { slug: asked.slug })
      const plan = { ...toStored(asked), id, slug: asked.slug, currency: 'USD', retiredAt: null }
      const after = viewPlan(plan)
      return {
        statements: [...planStatements(deps.db, plan), listPrice(deps, plan, now)],
        entries: [{ action: 'plan.create', target: `plan:${id}`, before: null, after }],
        answer: after,
      }
    },
  })
}

/**
 * Changes a plan. A new price applies to new orders; existing subscribers keep the better price. Throws 404.
 */
export function changePlan(
  deps: Deps,
  caller: SessionCaller,
  id: number,
  { retired, ...change }: Optional<PlanFields> & { retired?: true | undefined },
) {
  return administer(deps, caller, {
    load: () => readPlans(deps.db),
    decide: (plans, now) => {
      const stored = plans.find((plan) => plan.id === id)
      if (stored === undefined) throw new ApiError('plan_not_found')
      const before = viewPlan(stored)
      const plan = {
        ...stored,
        ...toStored({ ...before, ...withoutUndefined(change) }),
        retiredAt: stored.retiredAt ?? (retired ? now : null),
      }
      const after = viewPlan(plan)
      const isSame = JSON.stringify(before) === JSON.stringify(after)
      return {
        statements: [
          ...planStatements(deps.db, plan),
          ...(plan.priceCents === stored.priceCents ? [] : [listPrice(deps, plan, now)]),
        ],
        entries: isSame ? [] : [{ action: 'plan.change', target: `plan:${id}`, before, after }],
        answer: after,
      }
    },
  })
}

function listPrice(deps: Deps, { id, priceCents }: StoredPlan, now: number) {
  return listPriceStatement(deps.db, { kind: 'plan', id, price_cents: priceCents }, now)
}

function toStored(fields: PlanFields) {
  return {
    name: fields.name,
    priceCents: fields.price_cents,
    periodCredits: fields.period_credits,
    periodDays: fields.period_days,
    priority: fields.priority,
    requestsPerMinute: fields.requests_per_minute,
    requestsPerDay: fields.requests_per_day,
    inFlightMax: fields.in_flight_max,
    throttled: fields.throttled,
    badge: fields.badge,
    terms: withOneMonth(fields.terms),
  }
}

export function withoutUndefined<Fields extends object>(fields: Fields) {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given) as { [Name in keyof Fields]: Exclude<Fields[Name], undefined> }
}

function viewPlan(plan: StoredPlan) {
  return {
    id: plan.id,
    slug: plan.slug,
    name: plan.name,
    price_cents: plan.priceCents,
    currency: 'USD' as const,
    period_credits: plan.periodCredits,
    period_days: plan.periodDays,
    priority: plan.priority,
    requests_per_minute: plan.requestsPerMinute,
    requests_per_day: plan.requestsPerDay,
    in_flight_max: plan.inFlightMax,
    throttled: plan.throttled,
    badge: plan.badge,
    terms: plan.terms,
    retired_at: isoTime(plan.retiredAt),
  }
}
