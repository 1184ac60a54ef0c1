import { route } from '../http/route.ts'
import { PublicConfig } from './schemas.ts'
import { showPublicConfig } from './show-public-config.ts'

/** How long clients cache the response. Administrators' changes reach all clients within this time. */
const FRESH_SECONDS = 15

export const configRoutes = [
  route({
    method: 'get',
    path: '/api/v1/public/config',
    name: 'public.getConfig',
    access: 'none',
    tag: 'Public',
    summary: 'Show which features are available, with the public limits and prices',
    answer: { status: 200, description: 'The config', schema: PublicConfig },
    handle: async ({ deps }) =>
      Response.json(await showPublicConfig(deps), {
        // Private, because the response contains one client's rate limit headers.
        headers: { 'Cache-Control': `private, max-age=${FRESH_SECONDS}` },
      }),
  }),
]
