import { z } from '@hono/zod-openapi'
import { answerPage } from '../http/answer-page.ts'
import { route } from '../http/route.ts'
import { PLAN_ERRORS } from '../jobs/submit-errors.ts'
import { PAGED } from '../platform/http/schemas/page.ts'
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
    'A person with the link can send one file without an account. The resulting job belongs to the caller, ' +
    'who is charged when the file arrives.',
  body: UploadSessionCreate,
  idempotent: true,
  submits: true,
  answer: { status: 201, description: 'The upload session with its link', schema: UploadSessionCreated },
  errors: [...PLAN_ERRORS, 'wrong_file_kind', 'too_many_upload_links'],
} as const

export const uploadSessionRoutes = [
  route({
    ...creation,
    path: '/api/v1/upload-sessions',
    name: 'uploadSessions.createWithSession',
    access: 'session',
    forKeys: 'POST /api/v1/upload-sessions/api',
    summary: 'Create an upload link with a session',
    handle: ({ deps, caller, body, record }) => createUploadSession(deps, caller, body, record),
  }),
  route({
    ...creation,
    path: '/api/v1/upload-sessions/api',
    name: 'uploadSessions.create',
    access: 'either',
    summary: 'Create an upload link with an API key or a session',
    handle: ({ deps, caller, body, record }) => createUploadSession(deps, caller, body, record),
  }),
  route({
    method: 'get',
    path: '/api/v1/upload-sessions',
    name: 'uploadSessions.list',
    access: 'either',
    tag,
    summary: "List the caller's upload sessions, newest first",
    description: PAGED,
    query: UploadSessionsQuery,
    answer: { status: 200, description: 'The sessions', schema: z.array(UploadSession) },
    localized: true,
    handle: async ({ deps, caller, query, url }) => answerPage(await showSessions(deps, caller, query), url),
  }),
  route({
    method: 'get',
    path: '/api/v1/upload-sessions/{session_id}',
    name: 'uploadSessions.get',
    access: 'either',
    tag,
    summary: 'Show an upload session; poll this until it is done, failed, expired or canceled',
    params: UploadSessionPath,
    answer: { status: 200, description: 'The session', schema: UploadSession },
    localized: true,
    errors: ['upload_session_not_found'],
    handle: ({ deps, caller, path }) => showSession(deps, caller, path.session_id),
  }),
  route({
    method: 'delete',
    path: '/api/v1/upload-sessions/{session_id}',
    name: 'uploadSessions.withdraw',
    access: 'either',
    tag,
    summary: 'Withdraw an upload link',
    params: UploadSessionPath,
    answer: { status: 204, description: 'The link no longer accepts files', schema: null },
    errors: ['upload_session_not_found', 'upload_link_used'],
    handle: ({ deps, caller, path }) => withdrawSession(deps, caller, path.session_id),
  }),
]
