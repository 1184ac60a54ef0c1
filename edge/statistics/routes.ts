import { z } from '@hono/zod-openapi'
import { route } from '../http/route.ts'
import { showLogs } from './logs.ts'
import { showOverview } from './overview.ts'
import {
  LogsQuery,
  Overview,
  OverviewQuery,
  RequestLog,
  ServiceUsage,
  UsagePoint,
  UsageTotals,
  UsageWindow,
} from './schemas.ts'
import { showUsageByService, showUsagePoints, showUsageTotals } from './usage.ts'

const tag = 'Statistics'

export const statisticsRoutes = [
  route({
    method: 'get',
    path: '/api/v1/stats/overview',
    access: 'session',
    tag,
    summary: 'Jobs, credits, files and webhooks as they stand',
    query: OverviewQuery,
    answer: { status: 200, description: 'The figures', schema: Overview },
    handle: ({ deps, caller, query }) => showOverview(deps, caller, query),
  }),
  route({
    method: 'get',
    path: '/api/v1/stats/usage',
    access: 'session',
    tag,
    summary: 'Usage day by day',
    query: UsageWindow,
    answer: { status: 200, description: 'Each day, the oldest first', schema: z.array(UsagePoint) },
    handle: ({ deps, caller, query }) => showUsagePoints(deps, caller, query),
  }),
  route({
    method: 'get',
    path: '/api/v1/stats/usage/services',
    access: 'session',
    tag,
    summary: 'Usage operation by operation',
    query: UsageWindow,
    answer: { status: 200, description: 'The busiest first', schema: z.array(ServiceUsage) },
    handle: ({ deps, caller, query }) => showUsageByService(deps, caller, query),
  }),
  route({
    method: 'get',
    path: '/api/v1/stats/usage/summary',
    access: 'session',
    tag,
    summary: 'Usage of all the days together',
    query: UsageWindow,
    answer: { status: 200, description: 'The sums', schema: UsageTotals },
    handle: ({ deps, caller, query }) => showUsageTotals(deps, caller, query),
  }),
  route({
    method: 'get',
    path: '/api/v1/stats/logs',
    access: 'session',
    tag,
    summary: 'The last requests',
    description: 'A request is listed some seconds after its answer.',
    query: LogsQuery,
    answer: { status: 200, description: 'Newest first', schema: z.array(RequestLog) },
    handle: ({ deps, caller, query }) => showLogs(deps, caller, query),
  }),
]
