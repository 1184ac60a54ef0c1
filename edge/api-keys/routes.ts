import { z } from '@hono/zod-openapi'
import { route } from '../http/route.ts'
import { createToken } from './create.ts'
import { deleteToken, listTokens, toggleToken } from './manage.ts'
import { ApiKey, CreatedApiKey, TokenCreate, TokenPath } from './schemas.ts'

const tag = 'API keys'
const errors = { 403: 'An administrator revoked the key', 404: 'Unknown key' }

export const tokenRoutes = [
  route({
    method: 'get',
    path: '/api/v1/tokens',
    access: 'session',
    tag,
    summary: 'List the API keys',
    answer: { status: 200, description: 'The keys, newest first', schema: z.array(ApiKey) },
    handle: ({ deps, caller }) => listTokens(deps, caller),
  }),
  route({
    method: 'post',
    path: '/api/v1/tokens',
    access: 'session',
    tag,
    summary: 'Create an API key; its plaintext is shown this once',
    description:
      'The key is kept as a hash alone, from which nobody can read it. Only where an Idempotency-Key is sent ' +
      'the whole answer is kept as well, encrypted and for 24 hours: a repetition is shown the plaintext again.',
    body: TokenCreate,
    idempotent: true,
    answer: { status: 201, description: 'The key', schema: CreatedApiKey },
    errors: { 409: 'There are as many keys as an account may hold' },
    handle: ({ deps, caller, body, record }) => createToken(deps, caller, body, record),
  }),
  route({
    method: 'post',
    path: '/api/v1/tokens/{token_id}/toggle',
    access: 'session',
    tag,
    summary: 'Pause a key, or resume a paused one',
    params: TokenPath,
    answer: { status: 200, description: 'The key', schema: ApiKey },
    errors,
    handle: ({ deps, caller, path }) => toggleToken(deps, caller, path.token_id),
  }),
  route({
    method: 'delete',
    path: '/api/v1/tokens/{token_id}',
    access: 'session',
    tag,
    summary: 'Delete a key for good',
    params: TokenPath,
    answer: { status: 204, description: 'Deleted', schema: null },
    errors,
    handle: ({ deps, caller, path }) => deleteToken(deps, caller, path.token_id),
  }),
]
