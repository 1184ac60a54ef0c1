import { z } from '@hono/zod-openapi'
import { UNENFORCED_POLICY } from '../accounts/rules/limits.ts'
import { route } from '../http/route.ts'
import { checkReadiness, countHeader } from './readiness.ts'

const state = z.enum(['ok', 'down']).describe('`down` if it is not reachable')
const Readiness = z
  .object({
    status: z.enum(['ok', 'unavailable']).describe('`ok` if all checks are'),
    checks: z.object({ database: state, cache: state }).describe('Each dependency'),
  })
  .openapi('Readiness')

const Alive = z.object({ status: z.literal('ok').describe('Always ok') }).openapi('Health')

export const healthRoutes = [
  route({
    method: 'get',
    path: '/api/health',
    name: 'health.check',
    access: 'none',
    unenforced: UNENFORCED_POLICY,
    tag: 'Health',
    summary: 'Check that the service is running, without its dependencies',
    answer: { status: 200, description: 'Alive', schema: Alive },
    handle: async () => ({ status: 'ok' as const }),
  }),
  route({
    method: 'get',
    path: '/api/ready',
    name: 'health.ready',
    access: 'none',
    unenforced: UNENFORCED_POLICY,
    tag: 'Health',
    summary: 'Check that the database and the cache are reachable',
    answer: { status: 200, description: 'Both are reachable', schema: Readiness },
    alternatives: { 503: { description: 'At least one is down', schema: Readiness } },
    handle: async ({ deps }) => {
      const readiness = await checkReadiness(deps)
      const status = readiness.status === 'ok' ? 200 : 503
      return Response.json(readiness, { status, headers: countHeader(deps) })
    },
  }),
]
