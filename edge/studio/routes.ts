import { z } from '@hono/zod-openapi'
import { submitterOf } from '../accounts/anonymous-client.ts'
import { SHARED_READ_POLICY } from '../accounts/rules/limits.ts'
import { cancelBatch } from '../batches/cancel.ts'
import { repeatBatch } from '../batches/repeat.ts'
import { Batch, BatchesQuery, BatchPath, BatchRunRequest } from '../batches/schemas.ts'
import { showBatchAtEnd, showBatches } from '../batches/show.ts'
import { submitBatch } from '../batches/submit.ts'
import { listTools } from '../catalog/list-tools.ts'
import { Tool } from '../catalog/schemas.ts'
import { answerCached } from '../http/answer-cached.ts'
import { answerPage } from '../http/answer-page.ts'
import { route } from '../http/route.ts'
import { WaitQuery } from '../jobs/schemas.ts'
import { SUBMIT_ERRORS } from '../jobs/submit-errors.ts'
import { answerWaiting } from '../jobs/wait.ts'
import { pickLocale } from '../platform/http/rules/locale.ts'
import { PAGED, TOO_LONG } from '../platform/http/schemas/page.ts'
import { runInStudio } from './run.ts'
import { StudioRunOut, StudioRunRequest } from './schemas.ts'

const tag = 'Studio'
const accepted = {
  status: 201,
  description: 'The batch, with every file queued and charged its base price',
  schema: Batch,
}
const shown = { status: 200, description: 'The batch', schema: Batch }

export const studioRoutes = [
  route({
    method: 'get',
    path: '/api/v1/studio/tools',
    name: 'studio.listTools',
    access: 'none',
    guard: () => SHARED_READ_POLICY,
    tag,
    summary: 'List all operations with their parameters and presets',
    description:
      'Contains everything that a form for an operation needs. Texts are in the language of Accept-Language. ' +
      'The response has an ETag; a request with If-None-Match returns 304 if nothing has changed.',
    answer: { status: 200, description: 'The catalog', schema: z.array(Tool) },
    alternatives: { 304: { description: 'The catalog matches If-None-Match', schema: null } },
    localized: true,
    handle: async ({ deps, headers }) => {
      const listing = await listTools(deps, pickLocale(headers.get('accept-language')))
      return answerCached(listing, headers.get('if-none-match'))
    },
  }),
  route({
    method: 'post',
    path: '/api/v1/studio/run',
    name: 'studio.run',
    access: 'anyone',
    tag,
    summary: 'Run an operation from the studio',
    description:
      'Without a credential the job is free, and its id is enough to read and cancel it. An anonymous ' +
      'caller can send a self-generated UUID as X-Anonymous-Id. The caller owns the uploads and results ' +
      'made with that id, also after signing in, as long as requests carry the same id.',
    body: StudioRunRequest,
    idempotent: true,
    submits: true,
    answer: { status: 201, description: 'The job, queued', schema: StudioRunOut },
    errors: SUBMIT_ERRORS,
    handle: ({ deps, caller, body, headers, record }) =>
      runInStudio(deps, submitterOf(deps, caller, headers), body, record),
  }),
  route({
    method: 'post',
    path: '/api/v1/studio/batch',
    name: 'batches.submit',
    access: 'anyone',
    tag,
    summary: 'Run one operation on many files',
    description:
      'Each file becomes a separate job with its own charge. A file over the length limit stops the batch: ' +
      'its open files are canceled and refunded. Any other failure affects only its file. A batch with ' +
      'more files than your plan allows in flight returns 422.',
    body: BatchRunRequest,
    idempotent: true,
    submits: true,
    answer: accepted,
    errors: SUBMIT_ERRORS,
    handle: ({ deps, caller, body, headers, record }) =>
      submitBatch(deps, submitterOf(deps, caller, headers), body, record),
  }),
  route({
    method: 'get',
    path: '/api/v1/studio/batches',
    name: 'batches.list',
    access: 'either',
    tag,
    summary: "List the caller's batches, newest first",
    description:
      'Without `limit` the response contains all batches with their jobs, or as many as fit into one ' +
      `response. ${PAGED}`,
    query: BatchesQuery,
    answer: { status: 200, description: 'The batches', schema: z.array(Batch) },
    localized: true,
    errors: TOO_LONG,
    handle: async ({ deps, caller, query, url }) => answerPage(await showBatches(deps, caller, query), url),
  }),
  route({
    method: 'get',
    path: '/api/v1/studio/batches/{batch_id}',
    name: 'batches.get',
    access: 'anyone',
    tag,
    summary: 'Show a batch; poll this until it is done, failed or canceled',
    description: 'With `wait`, the response comes when the last file ends, or after that many seconds.',
    params: BatchPath,
    query: WaitQuery,
    answer: shown,
    localized: true,
    errors: ['batch_not_found', 'list_too_long'],
    handle: async ({ deps, caller, path, query, request: { signal }, findCallerNow }) =>
      answerWaiting(await showBatchAtEnd(deps, caller, path.batch_id, { ...query, signal, findCallerNow })),
  }),
  route({
    method: 'post',
    path: '/api/v1/studio/batches/{batch_id}/cancel',
    name: 'batches.cancel',
    access: 'anyone',
    tag,
    summary: 'Cancel the open files of a batch and refund their credits',
    params: BatchPath,
    ignoresDailyLimits: true,
    answer: shown,
    localized: true,
    errors: ['batch_not_found', 'batch_already_finished', 'list_too_long'],
    handle: ({ deps, caller, path }) => cancelBatch(deps, caller, path.batch_id),
  }),
  route({
    method: 'post',
    path: '/api/v1/studio/batches/{batch_id}/repeat',
    name: 'batches.repeat',
    access: 'either',
    tag,
    summary: 'Run a batch again with the same files and operation; charged as a new batch',
    params: BatchPath,
    idempotent: true,
    submits: true,
    answer: accepted,
    errors: [...SUBMIT_ERRORS, 'batch_not_found', 'import_headers_not_kept'],
    handle: ({ deps, caller, path, record }) => repeatBatch(deps, caller, path.batch_id, record),
  }),
]
