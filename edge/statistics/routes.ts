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
    name: 'statistics.getOverview',
    access: 'session',
    forKeys: 'GET /api/v1/jobs',
    tag,
    summary: 'Get current totals of jobs, credits, files and webhooks',
    query: OverviewQuery,
    answer: { status: 200, description: 'The totals', schema: Overview },
    handle: ({ deps, caller, query }) => showOverview(deps, caller, query),
  }),
  route({
    method: 'get',
    path: '/api/v1/stats/usage',
    name: 'statistics.listUsageByDay',
    access: 'session',
    tag,
    summary: 'Get usage per day',
    query: UsageWindow,
    answer: { status: 200, description: 'One entry per day, oldest first', schema: z.array(UsagePoint) },
    handle: ({ deps, caller, query }) => showUsagePoints(deps, caller, query),
  }),
  route({
    method: 'get',
    path: '/api/v1/stats/usage/services',
    name: 'statistics.listUsageByOperation',
    access: 'session',
    tag,
    summary: 'Get usage per operation',
    query: UsageWindow,
    answer: { status: 200, description: 'Most used first', schema: z.array(ServiceUsage) },
    handle: ({ deps, caller, query }) => showUsageByService(deps, caller, query),
  }),
  route({
    method: 'get',
    path: '/api/v1/stats/usage/summary',
    name: 'statistics.summarizeUsage',
    access: 'session',
    tag,
    summary: 'Get total usage of a period',
    query: UsageWindow,
    answer: { status: 200, description: 'The totals', schema: UsageTotals },
    handle: ({ deps, caller, query }) => showUsageTotals(deps, caller, query),
  }),
  route({
    method: 'get',
    path: '/api/v1/stats/logs',
    name: 'statistics.listRequests',
    access: 'session',
    tag,
    summary: 'List recent requests',
    description: 'A request is listed a few seconds after its response.',
    query: LogsQuery,
    answer: { status: 200, description: 'Requests, newest first', schema: z.array(RequestLog) },
    handle: ({ deps, caller, query }) => showLogs(deps, caller, query),
  }),
]
