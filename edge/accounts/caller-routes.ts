import { z } from '@hono/zod-openapi'
import { ping } from '../credits/balance.ts'
import { addFavorite } from '../favorites/add.ts'
import { showFavorites } from '../favorites/list.ts'
import { removeFavorite } from '../favorites/remove.ts'
import { reorderFavorites } from '../favorites/reorder.ts'
import { route } from '../http/route.ts'
import { showFeatures } from '../settings/show-features.ts'
import { showUsage } from '../usage/list.ts'
import {
  Favorite,
  FavoriteAddIn,
  FavoritePath,
  FavoriteReorderIn,
  Features,
  UsageEvent,
  UsageQuery,
  UsageSummary,
} from '../usage/schemas.ts'
import { showUsageSummary } from '../usage/summary.ts'
import { Ping } from './schemas.ts'

const tag = 'Caller info'

export const callerRoutes = [
  route({
    method: 'get',
    path: '/api/v1/me/ping',
    access: 'either',
    tag,
    summary: 'Verify a key and read its balance; spends nothing',
    answer: { status: 200, description: 'The credential is good', schema: Ping },
    handle: ({ deps, caller }) => ping(deps, caller),
  }),
  route({
    method: 'get',
    path: '/api/v1/me/features',
    access: 'anyone',
    tag,
    summary: 'Which public features are on for the caller; advice, never a permission',
    answer: { status: 200, description: 'The switches', schema: Features },
    handle: ({ deps, caller }) => showFeatures(deps, caller),
  }),
  route({
    method: 'get',
    path: '/api/v1/me/usage',
    access: 'session',
    tag,
    summary: 'What the account did, newest first',
    query: UsageQuery,
    answer: { status: 200, description: 'The events', schema: z.array(UsageEvent) },
    handle: ({ deps, caller, query }) => showUsage(deps, caller, query),
  }),
  route({
    method: 'get',
    path: '/api/v1/me/usage/summary',
    access: 'session',
    tag,
    summary: 'The jobs of the last 30 days and what they cost',
    answer: { status: 200, description: 'The sums', schema: UsageSummary },
    handle: ({ deps, caller }) => showUsageSummary(deps, caller),
  }),
  route({
    method: 'get',
    path: '/api/v1/me/favorites',
    access: 'session',
    tag,
    summary: 'The pinned studio tools in their order',
    answer: { status: 200, description: 'The pins', schema: z.array(Favorite) },
    handle: ({ deps, caller }) => showFavorites(deps, caller),
  }),
  route({
    method: 'post',
    path: '/api/v1/me/favorites',
    access: 'session',
    tag,
    summary: 'Pin a studio tool',
    body: FavoriteAddIn,
    answer: { status: 201, description: 'The pin, also where it was there before', schema: Favorite },
    errors: { 404: 'Not a live studio tool', 409: 'The pin was removed at the same moment' },
    handle: ({ deps, caller, body }) => addFavorite(deps, caller, body),
  }),
  route({
    method: 'patch',
    path: '/api/v1/me/favorites/reorder',
    access: 'session',
    tag,
    summary: 'Put pins into another order',
    body: FavoriteReorderIn,
    answer: { status: 200, description: 'All pins in their order', schema: z.array(Favorite) },
    handle: ({ deps, caller, body }) => reorderFavorites(deps, caller, body.operation_ids),
  }),
  route({
    method: 'delete',
    path: '/api/v1/me/favorites/{operation_id}',
    access: 'session',
    tag,
    summary: 'Unpin a studio tool',
    params: FavoritePath,
    answer: { status: 204, description: 'It is not pinned (any more)', schema: null },
    handle: ({ deps, caller, path }) => removeFavorite(deps, caller, path.operation_id),
  }),
]
