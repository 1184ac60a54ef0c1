import { z } from '@hono/zod-openapi'
import { answerPage } from '../http/answer-page.ts'
import { route } from '../http/route.ts'
import { PAGED } from '../platform/http/schemas/page.ts'
import { showBalance } from './balance.ts'
import { showLedger, verifyLedger } from './ledger.ts'
import { Balance, LedgerCheck, LedgerQuery, LedgerRow } from './schemas.ts'

const tag = 'Billing'

export const billingRoutes = [
  route({
    method: 'get',
    path: '/api/v1/billing/balance',
    name: 'credits.getBalance',
    access: 'session',
    forKeys: 'GET /api/v1/me/ping',
    tag,
    summary: 'Get the balance and the credits that expire next',
    answer: { status: 200, description: 'The balance', schema: Balance },
    handle: ({ deps, caller }) => showBalance(deps, caller),
  }),
  route({
    method: 'get',
    path: '/api/v1/billing/ledger',
    name: 'credits.listLedger',
    access: 'session',
    forKeys: 'GET /api/v1/jobs',
    tag,
    summary: 'List ledger entries, newest first',
    description: PAGED,
    query: LedgerQuery,
    answer: { status: 200, description: 'Ledger entries', schema: z.array(LedgerRow) },
    handle: async ({ deps, caller, query, url }) => answerPage(await showLedger(deps, caller, query), url),
  }),
  route({
    method: 'get',
    path: '/api/v1/billing/ledger/verify',
    name: 'credits.verifyLedger',
    access: 'session',
    tag,
    summary: 'Verify the ledger against the balance',
    answer: { status: 200, description: 'The sums', schema: LedgerCheck },
    handle: ({ deps, caller }) => verifyLedger(deps, caller),
  }),
]
