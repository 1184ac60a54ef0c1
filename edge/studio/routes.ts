import { z } from '@hono/zod-openapi'
import { cancelBatch } from '../batches/cancel.ts'
import { repeatBatch } from '../batches/repeat.ts'
import { Batch, BatchesQuery, BatchPath, BatchRunRequest } from '../batches/schemas.ts'
import { showBatch, showBatches } from '../batches/show.ts'
import { submitBatch } from '../batches/submit.ts'
import { Tool } from '../catalog/schemas.ts'
import { listTools } from '../catalog/tools.ts'
import { route } from '../http/route.ts'
import { TOO_LONG } from '../platform/http/schemas/page.ts'
import { runInStudio } from './run.ts'
import { StudioRunOut, StudioRunRequest } from './schemas.ts'

const tag = 'Studio'
const submitErrors = {
  400: 'Unknown or switched-off operation, refused parameter, invalid file URL, or wrong kind of file',
  402: 'Not enough credits',
  404: 'Unknown service',
}
const accepted = {
  status: 201,
  description: 'The batch, every file queued and its base charged',
  schema: Batch,
}
const shown = { status: 200, description: 'The batch', schema: Batch }

/** RFC 8288. */
function linkNext({ limit }: { limit?: number | undefined }, offset: number): { Link: string } {
  const size = limit === undefined ? '' : `limit=${limit}&`
  return { Link: `</api/v1/studio/batches?${size}offset=${offset}>; rel="next"` }
}

export const studioRoutes = [
  route({
    method: 'get',
    path: '/api/v1/studio/tools',
    access: 'none',
    tag,
    summary: 'All operations, their parameters and presets',
    answer: { status: 200, description: 'The catalogue', schema: z.array(Tool) },
    handle: ({ deps }) => listTools(deps),
  }),
  route({
    method: 'post',
    path: '/api/v1/studio/run',
    access: 'anyone',
    tag,
    summary: 'Run an operation from the studio',
    description:
      'Without a credential nothing is charged, and the id of the job is what reads and cancels it. ' +
      'An anonymous caller may send an X-Anonymous-Id (a uuid) of its own making. Its uploads and results are its own, ' +
      'and stay so after it signs in, as long as it sends the same id.',
    body: StudioRunRequest,
    idempotent: true,
    submits: true,
    answer: { status: 201, description: 'The job, queued', schema: StudioRunOut },
    errors: submitErrors,
    handle: ({ deps, caller, body, headers, record }) => runInStudio(deps, caller, body, { headers, record }),
  }),
  route({
    method: 'post',
    path: '/api/v1/studio/batch',
    access: 'anyone',
    tag,
    summary: 'Run many files through one operation',
    description:
      'Each file is a job of its own and is charged as one. A file over the length ceiling stops the batch: ' +
      'the files still open are canceled and given back; any other failure is that of its file alone. ' +
      'A batch of more files than your plan allows in flight at once is refused by 422.',
    body: BatchRunRequest,
    idempotent: true,
    submits: true,
    answer: accepted,
    errors: submitErrors,
    handle: ({ deps, caller, body, headers, record }) => submitBatch(deps, caller, body, { headers, record }),
  }),
  route({
    method: 'get',
    path: '/api/v1/studio/batches',
    access: 'either',
    tag,
    summary: "List the caller's batches, newest first",
    description:
      'Without `limit` the response has all batches, each with its jobs. Where they do not fit into one ' +
      'response, or there are more than `limit`, the header `Link` has the address of the next page (`rel="next"`).',
    query: BatchesQuery,
    answer: { status: 200, description: 'The batches', schema: z.array(Batch) },
    errors: TOO_LONG,
    handle: async ({ deps, caller, query }) => {
      const { batches, next } = await showBatches(deps, caller, query)
      return next === null ? batches : Response.json(batches, { headers: linkNext(query, next) })
    },
  }),
  route({
    method: 'get',
    path: '/api/v1/studio/batches/{batch_id}',
    access: 'anyone',
    tag,
    summary: 'Show a batch; poll this until it is done, failed or canceled',
    params: BatchPath,
    answer: shown,
    errors: { 404: 'Unknown batch' },
    handle: ({ deps, caller, path }) => showBatch(deps, caller, path.batch_id),
  }),
  route({
    method: 'post',
    path: '/api/v1/studio/batches/{batch_id}/cancel',
    access: 'anyone',
    tag,
    summary: 'Cancel the files of a batch that are still open; their credits come back',
    params: BatchPath,
    answer: shown,
    errors: { 404: 'Unknown batch', 409: 'The batch is finished already' },
    handle: ({ deps, caller, path }) => cancelBatch(deps, caller, path.batch_id),
  }),
  route({
    method: 'post',
    path: '/api/v1/studio/batches/{batch_id}/repeat',
    access: 'either',
    tag,
    summary: 'Run a batch again with the same files and operation, charged anew',
    params: BatchPath,
    idempotent: true,
    submits: true,
    answer: accepted,
    errors: { ...submitErrors, 404: 'Unknown batch' },
    handle: ({ deps, caller, path, record }) => repeatBatch(deps, caller, path.batch_id, record),
  }),
]
