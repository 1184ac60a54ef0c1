import { SHARED_READ_POLICY } from '../accounts/rules/limits.ts'
import { answerCached } from '../http/answer-cached.ts'
import { route } from '../http/route.ts'
import { toSharedAnswer } from '../platform/http/shared-answer.ts'
import { PublicConfig } from './schemas.ts'
import { showPublicConfig } from './show-public-config.ts'

export const configRoutes = [
  route({
    method: 'get',
    path: '/api/v1/public/config',
    name: 'public.getConfig',
    access: 'none',
    guard: () => SHARED_READ_POLICY,
    tag: 'Public',
    summary: 'Show which features are available, with the public limits and prices',
    description: 'The response has an ETag; a request with If-None-Match returns 304 if nothing has changed.',
    answer: { status: 200, description: 'The config', schema: PublicConfig },
    alternatives: { 304: { description: 'The config matches If-None-Match', schema: null } },
    handle: async ({ deps, headers }) =>
      answerCached(toSharedAnswer(await showPublicConfig(deps)), headers.get('if-none-match')),
  }),
]
