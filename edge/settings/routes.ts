import { route } from '../http/route.ts'
import { PublicConfig } from './schemas.ts'
import { showPublicConfig } from './show-public-config.ts'

/** Clients ask at every start; what administrators change is known to all of them within this time. */
const FRESH_SECONDS = 15

export const configRoutes = [
  route({
    method: 'get',
    path: '/api/v1/public/config',
    access: 'none',
    tag: 'Public',
    summary: 'What is open at present, and the limits and prices that everybody meets',
    answer: { status: 200, description: 'The config', schema: PublicConfig },
    handle: async ({ deps }) =>
      Response.json(await showPublicConfig(deps), {
        // For one client alone: the answer tells how that one stands with its limits.
        headers: { 'Cache-Control': `private, max-age=${FRESH_SECONDS}` },
      }),
  }),
]
