import { z } from '@hono/zod-openapi'
import { answerPage } from '../http/answer-page.ts'
import { readFields } from '../http/errors.ts'
import { route } from '../http/route.ts'
import { PAGED, TOO_LONG } from '../platform/http/schemas/page.ts'
import { receiveForm } from '../uploads/receive.ts'
import { atNamedWork } from './at-job.ts'
import { cancelJob } from './cancel.ts'
import { deleteJob } from './delete.ts'
import { purgeDelivered } from './purge.ts'
import { quoteJob } from './quote.ts'
import { repeatJob } from './repeat.ts'
import {
  Job,
  JobForm,
  JobFormFields,
  JobPath,
  JobProgressEvent,
  JobStatusEvent,
  JobSubmit,
  JobsQuery,
  Purged,
  Quote,
  QuoteRequest,
  WaitQuery,
} from './schemas.ts'
import { showJobs } from './show.ts'
import { streamJobEvents } from './stream-events.ts'
import { submitJob } from './submit.ts'
import { PLAN_ERRORS, SUBMIT_ERRORS } from './submit-errors.ts'
import { judgeFormFile, submitUpload } from './submit-upload.ts'
import { answerWaiting, showJobAtEnd } from './wait.ts'

const tag = 'Jobs'
const accepted = { status: 201, description: 'The job, queued and charged its base price', schema: Job }
const shown = { status: 200, description: 'The job', schema: Job }

const submission = {
  method: 'post',
  tag,
  body: JobSubmit,
  idempotent: true,
  submits: true,
  answer: accepted,
  errors: SUBMIT_ERRORS,
} as const

export const jobRoutes = [
  route({
    ...submission,
    path: '/api/v1/jobs',
    name: 'jobs.submitWithSession',
    access: 'session',
    forKeys: 'POST /api/v1/jobs/api',
    summary: 'Submit a job with a session',
    handle: ({ deps, caller, body, record }) => submitJob(deps, caller, body, { record }),
  }),
  route({
    ...submission,
    path: '/api/v1/jobs/api',
    name: 'jobs.submit',
    access: 'either',
    summary: 'Submit a job with an API key or a session',
    handle: ({ deps, caller, body, record }) => submitJob(deps, caller, body, { record }),
  }),
  route({
    method: 'post',
    path: '/api/v1/jobs/upload',
    name: 'jobs.submitFile',
    access: 'either',
    forJson: 'POST /api/v1/jobs/api',
    tag,
    summary: 'Upload a file and submit a job for it in one form',
    form: JobForm,
    idempotent: true,
    submits: true,
    answer: accepted,
    errors: [
      ...SUBMIT_ERRORS,
      'file_too_large',
      'file_type_not_allowed',
      'too_many_uploads',
      'too_many_open_uploads',
    ],
    handle: async ({ deps, caller, request, record }) => {
      const { fields, upload, digest } = await receiveForm(deps, caller, request, judgeFormFile)
      const readSubmission = () => readFields(JobFormFields, fields)
      return submitUpload(deps, caller, upload, readSubmission, (answer) => record(answer, digest))
    },
  }),
  route({
    method: 'post',
    path: '/api/v1/jobs/quote',
    name: 'jobs.quote',
    access: 'either',
    tag,
    summary: 'Quote a job without charging',
    body: QuoteRequest,
    answer: {
      status: 200,
      description: 'The base price, the maximum price, and whether the balance covers the base price',
      schema: Quote,
    },
    errors: PLAN_ERRORS,
    handle: ({ deps, caller, body }) => quoteJob(deps, caller, body),
  }),
  route({
    method: 'get',
    path: '/api/v1/jobs',
    name: 'jobs.list',
    access: 'either',
    tag,
    summary: 'List jobs, newest first',
    description: PAGED,
    query: JobsQuery,
    answer: { status: 200, description: 'The jobs', schema: z.array(Job) },
    localized: true,
    errors: TOO_LONG,
    handle: async ({ deps, caller, query, url }) => answerPage(await showJobs(deps, caller, query), url),
  }),
  route({
    method: 'get',
    path: '/api/v1/jobs/{job_id}',
    name: 'jobs.get',
    access: 'anyone',
    tag,
    summary: 'Show a job; poll this until it is done, failed or canceled',
    description: 'With `wait`, the response comes when the job ends, or after that many seconds.',
    params: JobPath,
    query: WaitQuery,
    answer: shown,
    localized: true,
    errors: ['job_not_found'],
    handle: async ({ deps, caller, path, query, request: { signal }, findCallerNow }) => {
      const own = await atNamedWork(deps, caller, path.job_id)
      return answerWaiting(await showJobAtEnd(own, caller, path.job_id, { ...query, signal, findCallerNow }))
    },
  }),
  route({
    method: 'get',
    path: '/api/v1/jobs/{job_id}/events',
    name: 'jobs.streamEvents',
    access: 'anyone',
    tag,
    summary: 'Stream job events (server-sent events) until the job is finished',
    description:
      'Events of type `status` have the data JobStatusEvent, and those of type `progress` JobProgressEvent. ' +
      'After a disconnect, reconnect with Last-Event-ID; 204 means that no more events follow.',
    params: JobPath,
    answer: { status: 200, description: 'The events', schema: 'events' },
    localized: true,
    events: z.union([JobStatusEvent, JobProgressEvent]),
    alternatives: { 204: { description: 'No more events', schema: null } },
    errors: ['job_not_found'],
    handle: async ({ deps, caller, path, headers, findCallerNow }) =>
      streamJobEvents(await atNamedWork(deps, caller, path.job_id), caller, path.job_id, {
        after: headers.get('last-event-id'),
        findCallerNow,
      }),
  }),
  route({
    method: 'post',
    path: '/api/v1/jobs/{job_id}/repeat',
    name: 'jobs.repeat',
    access: 'either',
    tag,
    summary: 'Run a job again with the same operation and params; charged as a new job',
    params: JobPath,
    idempotent: true,
    submits: true,
    answer: accepted,
    errors: [...SUBMIT_ERRORS, 'job_not_found', 'import_headers_not_kept'],
    handle: ({ deps, caller, path, record }) => repeatJob(deps, caller, path.job_id, record),
  }),
  route({
    method: 'post',
    path: '/api/v1/jobs/{job_id}/delivered',
    name: 'jobs.confirmDelivery',
    access: 'anyone',
    tag,
    summary: 'Confirm that the file of an anonymous job was received, and delete source and result',
    params: JobPath,
    answer: {
      status: 200,
      description: 'The outcome: `purged` is true if files were deleted',
      schema: Purged,
    },
    errors: ['job_not_found', 'job_not_finished'],
    handle: async ({ deps, caller, path }) =>
      purgeDelivered(await atNamedWork(deps, caller, path.job_id), caller, path.job_id),
  }),
  route({
    method: 'post',
    path: '/api/v1/jobs/{job_id}/cancel',
    name: 'jobs.cancel',
    access: 'anyone',
    tag,
    summary: 'Cancel an open job and refund its credits',
    params: JobPath,
    ignoresDailyLimits: true,
    answer: shown,
    localized: true,
    errors: ['job_not_found', 'job_already_finished'],
    handle: async ({ deps, caller, path }) =>
      cancelJob(await atNamedWork(deps, caller, path.job_id), caller, path.job_id),
  }),
  route({
    method: 'delete',
    path: '/api/v1/jobs/{job_id}',
    name: 'jobs.delete',
    access: 'either',
    tag,
    summary: 'Delete an ended job with its result and its source',
    description:
      'Sources that other jobs use stay. Charges and usage figures stay, without the content of the job. ' +
      'Cancel an open job first.',
    params: JobPath,
    answer: { status: 204, description: 'The job was deleted', schema: null },
    errors: ['job_not_found', 'job_not_finished', 'file_in_use'],
    handle: ({ deps, caller, path }) => deleteJob(deps, caller, path.job_id),
  }),
]
