import { z } from '@hono/zod-openapi'
import { route } from '../http/route.ts'
import { createToken } from './create.ts'
import { deleteToken, listTokens, toggleToken } from './manage.ts'
import { ApiKey, CreatedApiKey, TokenCreate, TokenPath } from './schemas.ts'

const tag = 'API keys'

export const tokenRoutes = [
  route({
    method: 'get',
    path: '/api/v1/tokens',
    name: 'apiKeys.list',
    access: 'session',
    tag,
    summary: 'List the API keys',
    answer: { status: 200, description: 'The keys, newest first', schema: z.array(ApiKey) },
    handle: ({ deps, caller }) => listTokens(deps, caller),
  }),
  route({
    method: 'post',
    path: '/api/v1/tokens',
    name: 'apiKeys.create',
    access: 'session',
    tag,
    summary: 'Create an API key; its plaintext is shown only once',
    description:
      'Only a hash of the key is stored. With an Idempotency-Key the response is also stored, encrypted, ' +
      'for 24 hours, so that repeating the key returns the plaintext again.',
    body: TokenCreate,
    idempotent: true,
    answer: { status: 201, description: 'The key', schema: CreatedApiKey },
    errors: ['too_many_api_keys'],
    handle: ({ deps, caller, body, record }) => createToken(deps, caller, body, record),
  }),
  route({
    method: 'post',
    path: '/api/v1/tokens/{token_id}/toggle',
    name: 'apiKeys.toggle',
    access: 'session',
    tag,
    summary: 'Pause a key, or resume a paused one',
    params: TokenPath,
    answer: { status: 200, description: 'The key', schema: ApiKey },
    errors: ['api_key_not_found', 'api_key_revoked'],
    handle: ({ deps, caller, path }) => toggleToken(deps, caller, path.token_id),
  }),
  route({
    method: 'delete',
    path: '/api/v1/tokens/{token_id}',
    name: 'apiKeys.delete',
    access: 'session',
    tag,
    summary: 'Delete a key permanently',
    params: TokenPath,
    answer: { status: 204, description: 'Deleted', schema: null },
    errors: ['api_key_not_found', 'api_key_revoked'],
    handle: ({ deps, caller, path }) => deleteToken(deps, caller, path.token_id),
  }),
]
