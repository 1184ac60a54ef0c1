import { z } from '@hono/zod-openapi'
import { PRICING_POLICY } from '../accounts/rules/limits.ts'
import { route } from '../http/route.ts'
import { listPackages, listPlans, listProviders, showBundleQuote, showPricing } from './list.ts'
import { Bundle, BundleQuery, Pack, PlanOffer, Pricing, ProviderEntry } from './schemas.ts'

const tag = 'Billing'

export const offerRoutes = [
  route({
    method: 'get',
    path: '/api/v1/public/pricing',
    name: 'offers.getPricing',
    access: 'none',
    guard: () => PRICING_POLICY,
    tag,
    summary: 'Get list prices of packs and plans; never cached',
    answer: { status: 200, description: 'The price list', schema: Pricing },
    handle: ({ deps }) => showPricing(deps),
  }),
  route({
    method: 'get',
    path: '/api/v1/billing/packages',
    name: 'offers.listPackages',
    access: 'session',
    forKeys: 'GET /api/v1/public/pricing',
    tag,
    summary: 'List packs; empty if no payment provider is configured',
    answer: { status: 200, description: 'The packs', schema: z.array(Pack) },
    handle: ({ deps, caller }) => listPackages(deps, caller),
  }),
  route({
    method: 'get',
    path: '/api/v1/billing/plans',
    name: 'offers.listPlans',
    access: 'session',
    forKeys: 'GET /api/v1/public/pricing',
    tag,
    summary: 'List plans at the prices of this account; empty while payments are not enabled for it',
    answer: { status: 200, description: 'The plans', schema: z.array(PlanOffer) },
    handle: ({ deps, caller }) => listPlans(deps, caller),
  }),
  route({
    method: 'get',
    path: '/api/v1/billing/providers',
    name: 'offers.listProviders',
    access: 'session',
    tag,
    summary: 'List payment providers; empty while payments are not enabled for the account',
    answer: { status: 200, description: 'The providers', schema: z.array(ProviderEntry) },
    handle: ({ deps, caller }) => listProviders(deps, caller),
  }),
  route({
    method: 'get',
    path: '/api/v1/billing/bundle-quote',
    name: 'orders.quoteBundle',
    access: 'session',
    tag,
    summary: 'Quote months of a plan, with or without a pack',
    query: BundleQuery,
    answer: { status: 200, description: 'The quote', schema: Bundle },
    errors: ['months_not_offered', 'plan_not_found', 'package_not_found'],
    handle: ({ deps, caller, query }) => showBundleQuote(deps, caller, query),
  }),
]
