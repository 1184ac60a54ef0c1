import { z } from '@hono/zod-openapi'
import { ping } from '../credits/balance.ts'
import { addFavorite } from '../favorites/add.ts'
import { showFavorites } from '../favorites/list.ts'
import { removeFavorite } from '../favorites/remove.ts'
import { reorderFavorites } from '../favorites/reorder.ts'
import { answerPage } from '../http/answer-page.ts'
import { route } from '../http/route.ts'
import { replaceOrigins, showOrigins } from '../origins/change.ts'
import { AllowedOrigins } from '../origins/schemas.ts'
import { PAGED } from '../platform/http/schemas/page.ts'
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
    name: 'me.ping',
    access: 'either',
    tag,
    summary: 'Verify the credential and read the balance; free of charge',
    answer: { status: 200, description: 'The credential is valid', schema: Ping },
    handle: ({ deps, caller }) => ping(deps, caller),
  }),
  route({
    method: 'get',
    path: '/api/v1/me/features',
    name: 'me.listFeatures',
    access: 'anyone',
    tag,
    summary: 'List the public feature flags of the caller; informational, grants no permission',
    answer: { status: 200, description: 'The feature flags', schema: Features },
    handle: ({ deps, caller }) => showFeatures(deps, caller),
  }),
  route({
    method: 'get',
    path: '/api/v1/me/usage',
    name: 'me.listUsage',
    access: 'session',
    forKeys: 'GET /api/v1/jobs',
    tag,
    summary: 'List usage events, newest first',
    description: PAGED,
    query: UsageQuery,
    answer: { status: 200, description: 'The events', schema: z.array(UsageEvent) },
    handle: async ({ deps, caller, query, url }) => answerPage(await showUsage(deps, caller, query), url),
  }),
  route({
    method: 'get',
    path: '/api/v1/me/usage/summary',
    name: 'me.summarizeUsage',
    access: 'session',
    forKeys: 'GET /api/v1/jobs',
    tag,
    summary: 'Summarize the jobs of the last 30 days and their credits',
    answer: { status: 200, description: 'The totals', schema: UsageSummary },
    handle: ({ deps, caller }) => showUsageSummary(deps, caller),
  }),
  route({
    method: 'get',
    path: '/api/v1/me/origins',
    name: 'me.listOrigins',
    access: 'session',
    tag,
    summary: 'List the origins of web pages that may call the API with credentials of the account',
    answer: { status: 200, description: 'The origins, in alphabetical order', schema: AllowedOrigins },
    handle: ({ deps, caller }) => showOrigins(deps, caller),
  }),
  route({
    method: 'put',
    path: '/api/v1/me/origins',
    name: 'me.replaceOrigins',
    access: 'session',
    tag,
    summary: 'Replace the list of origins; takes effect within seconds',
    body: AllowedOrigins,
    answer: { status: 200, description: 'The origins, in alphabetical order', schema: AllowedOrigins },
    handle: ({ deps, caller, body }) => replaceOrigins(deps, caller, body.origins),
  }),
  route({
    method: 'get',
    path: '/api/v1/me/favorites',
    name: 'favorites.list',
    access: 'session',
    tag,
    summary: 'List the pinned studio tools in order',
    answer: { status: 200, description: 'The favorites', schema: z.array(Favorite) },
    handle: ({ deps, caller }) => showFavorites(deps, caller),
  }),
  route({
    method: 'post',
    path: '/api/v1/me/favorites',
    name: 'favorites.add',
    access: 'session',
    tag,
    summary: 'Pin a studio tool',
    body: FavoriteAddIn,
    answer: {
      status: 201,
      description: 'The favorite; the existing one if the tool is already pinned',
      schema: Favorite,
    },
    errors: ['tool_not_found', 'favorite_removed'],
    handle: ({ deps, caller, body }) => addFavorite(deps, caller, body),
  }),
  route({
    method: 'patch',
    path: '/api/v1/me/favorites/reorder',
    name: 'favorites.reorder',
    access: 'session',
    tag,
    summary: 'Reorder the favorites',
    body: FavoriteReorderIn,
    answer: { status: 200, description: 'All favorites in order', schema: z.array(Favorite) },
    handle: ({ deps, caller, body }) => reorderFavorites(deps, caller, body.operation_ids),
  }),
  route({
    method: 'delete',
    path: '/api/v1/me/favorites/{operation_id}',
    name: 'favorites.remove',
    access: 'session',
    tag,
    summary: 'Unpin a studio tool',
    params: FavoritePath,
    answer: { status: 204, description: 'The tool is not pinned', schema: null },
    handle: ({ deps, caller, path }) => removeFavorite(deps, caller, path.operation_id),
  }),
]
