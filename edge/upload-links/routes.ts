import { z } from '@hono/zod-openapi'
import { route } from '../http/route.ts'
import { createUploadSession } from './create.ts'
import {
  UploadSession,
  UploadSessionCreate,
  UploadSessionCreated,
  UploadSessionPath,
  UploadSessionsQuery,
} from './schemas.ts'
import { showSession, showSessions } from './show.ts'
import { withdrawSession } from './withdraw.ts'

const tag = 'Upload links'

const creation = {
  method: 'post',
  tag,
  description:
    'Whoever is given the link sends one file by it, and needs no account. The job that follows belongs to ' +
    'the caller, who pays for it when the file has come.',
  body: UploadSessionCreate,
  idempotent: true,
  submits: true,
  answer: { status: 201, description: 'The session, with its link', schema: UploadSessionCreated },
  errors: {
    400: 'Unknown or switched-off operation, one that takes no file or not such files, or a refused parameter',
    404: 'Unknown service',
  },
} as const

export const uploadSessionRoutes = [
  route({
    ...creation,
    path: '/api/v1/upload-sessions',
    access: 'session',
    summary: 'Make an upload link, from a session',
    handle: ({ deps, caller, body, record }) => createUploadSession(deps, caller, body, record),
  }),
  route({
    ...creation,
    path: '/api/v1/upload-sessions/api',
    access: 'either',
    summary: 'Make an upload link, with an API key or a session',
    handle: ({ deps, caller, body, record }) => createUploadSession(deps, caller, body, record),
  }),
  route({
    method: 'get',
    path: '/api/v1/upload-sessions',
    access: 'either',
    tag,
    summary: "List the caller's upload sessions, newest first",
    query: UploadSessionsQuery,
    answer: { status: 200, description: 'The sessions', schema: z.array(UploadSession) },
    handle: ({ deps, caller, query }) => showSessions(deps, caller, query),
  }),
  route({
    method: 'get',
    path: '/api/v1/upload-sessions/{session_id}',
    access: 'either',
    tag,
    summary: 'Show an upload session; poll this until it is done, failed, expired or canceled',
    params: UploadSessionPath,
    answer: { status: 200, description: 'The session', schema: UploadSession },
    errors: { 404: 'Unknown upload session' },
    handle: ({ deps, caller, path }) => showSession(deps, caller, path.session_id),
  }),
  route({
    method: 'delete',
    path: '/api/v1/upload-sessions/{session_id}',
    access: 'either',
    tag,
    summary: 'Withdraw an upload link',
    params: UploadSessionPath,
    answer: { status: 204, description: 'Nothing can be sent by it (any more)', schema: null },
    errors: { 404: 'Unknown upload session', 409: 'The link was used; its job can be canceled' },
    handle: ({ deps, caller, path }) => withdrawSession(deps, caller, path.session_id),
  }),
]
