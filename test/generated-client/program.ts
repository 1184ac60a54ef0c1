/**
 * A customer's program that uses a client generated from /openapi.json. It creates an account, uploads an image,
 * resizes it, and waits for the result. It is type-checked along with the client, then run as
 * `node program.ts API_URL FILE`, and prints its results as JSON.
 */
import { randomBytes } from 'node:crypto'
import { openAsBlob } from 'node:fs'
import { basename } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { HttpError } from '@oazapfts/runtime'
import * as api from './client.ts'

const JOB_MS_MAX = 30_000
const [api_url = '', file = ''] = process.argv.slice(2)
api.defaults.baseUrl = api_url

const registerRequest: api.RegisterRequest = {
  email: `${randomBytes(8).toString('hex')}@localhost.test`,
  password: randomBytes(18).toString('hex'),
}
const { access_token, user } = await api.authRegister({ registerRequest })
api.defaults.headers = { authorization: `Bearer ${access_token}` }

const image = new File([await openAsBlob(file, { type: 'image/png' })], basename(file))
const { url: file_url } = await api.uploadsCreate({ body: { file: image } })
const jobSubmit: api.JobSubmit = {
  service_slug: 'image',
  operation_key: 'resize',
  params: { file_url, width: 16 },
}
const { affordable } = await api.jobsQuote({ quoteRequest: jobSubmit })
const submitted = await api.jobsSubmitWithSession({ jobSubmit, idempotencyKey: 'the one resize' })
const repeated = await api.jobsSubmitWithSession({ jobSubmit, idempotencyKey: 'the one resize' })
const job = await waitForJob(submitted.id)
const jobs = await api.jobsList({ mine: true, limit: 5 })
const refusal = await api.jobsGet({ jobId: 'unknown job' }).catch((error: unknown) => error)

console.log(
  JSON.stringify({
    tier: user.tier,
    affordable,
    same_job: repeated.id === submitted.id,
    status: job.status,
    content_type: job.result?.content_type,
    width: job.operation_key === 'resize' ? job.result?.body.width : null,
    listed: jobs.map(({ id }) => id === job.id),
    refused: refusal instanceof HttpError ? refusal.status : String(refusal),
  }),
)

async function waitForJob(jobId: string): Promise<api.Job> {
  for (const deadline = Date.now() + JOB_MS_MAX; Date.now() < deadline; await delay(100)) {
    const job = await api.jobsGet({ jobId })
    if (job.status !== 'queued' && job.status !== 'processing') return job
  }
  throw new Error(`Job ${jobId} did not end within ${JOB_MS_MAX} ms.`)
}

/**
 * This function is never called. The types must reject these lines; if a type were `any`, the type check would
 * fail.
 */
export function refuseByTypes(job: api.Job): void {
  // @ts-expect-error: the operation is missing
  api.jobsSubmitWithSession({ jobSubmit: { service_slug: 'image' } })
  // @ts-expect-error: no such status exists
  job.status = 'lost'
  // @ts-expect-error: the result is null until the job is done
  job.result.url
  // @ts-expect-error: a job has no such field
  job.price
  // @ts-expect-error: job ids are strings
  api.jobsGet({ jobId: 7 })
}
