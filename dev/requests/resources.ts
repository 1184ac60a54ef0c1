import { Client } from '../client.ts'
import { ask } from './ask.ts'
import { BOT } from './messenger.ts'
import { makeOffers, makeOrders } from './orders.ts'
import type { Resources } from './resource-type.ts'
import type { Target } from './target.ts'

interface Preparation {
  target: Target
  administrator: Client
  owner: Client
  victim: Client & { id: number }
  /** URLs of uploads: `image` and `clip` belong to the owner, and `unowned` was uploaded anonymously. */
  image: string
  clip: string
  unowned: string
}

const JOB_MS_MAX = 60_000
const RESIZE = { service_slug: 'image', operation_key: 'resize' }

/** Creates a few resources of each kind for the owner, in various states. */
export async function makeResources({
  target,
  administrator,
  owner,
  victim,
  image,
  clip,
  unowned,
}: Preparation): Promise<Resources> {
  const offers = await makeOffers(administrator)
  const several = <Answer>(count: number, make: () => Promise<Answer>) =>
    Promise.all(Array.from({ length: count }, make))
  const params = { width: 16 }
  const submission = { ...RESIZE, params: { ...params, file_url: image } }
  const jobs = await several(6, () => owner.submit(submission))
  const anonymous = await ask<{ job: { id: string } }>(
    new Client(target.api_url),
    'POST',
    '/api/v1/studio/run',
    { ...RESIZE, params: { ...params, file_url: unowned } },
  )
  const batches = await several(2, () =>
    ask<{ id: string }>(owner, 'POST', '/api/v1/studio/batch', {
      ...RESIZE,
      params,
      file_urls: [image, image],
    }),
  )
  const links = await several(16, () =>
    ask<{ id: string; token: string }>(owner, 'POST', '/api/v1/upload-sessions', { ...RESIZE, params }),
  )
  const parts = await ask<{ upload_id: string; key: string }>(
    owner,
    'POST',
    '/api/v1/uploads/multipart/create',
    {
      filename: 'clip.mp4',
      content_type: 'video/mp4',
      size_bytes: 50_000_000,
    },
  )
  const keys = await several(3, () => ask<{ id: number }>(victim, 'POST', '/api/v1/tokens', {}))
  const ownKeys = await several(3, () => ask<{ id: number }>(owner, 'POST', '/api/v1/tokens', {}))
  const circleJob = await owner.submit({
    service_slug: 'video',
    operation_key: 'circle',
    params: { file_url: clip },
  })
  await owner.waitForJob(circleJob.id, JOB_MS_MAX)
  const done = await owner.waitForJob(jobs[0]?.id ?? '', JOB_MS_MAX)
  const formToken = await ask<{ form_token: string }>(owner, 'GET', '/api/v1/public/feedback/token')
  return {
    ...(await makeOrders(target, owner)),
    ...offers,
    job_id: [...jobs.slice(0, 4).map(({ id }) => id), anonymous.job.id],
    'DELETE /api/v1/jobs/{job_id} job_id': jobs.slice(4).map(({ id }) => id),
    batch_id: batches.map(({ id }) => id),
    // Each upload link works once, so most endpoints get separate links.
    session_id: links.map(({ id }) => id),
    'DELETE /api/v1/upload-sessions/{session_id} session_id': links.slice(0, 4).map(({ id }) => id),
    token: links.map(({ token }) => token),
    'POST /api/v1/upload-links/{token}/file token': links.slice(2, 8).map(({ token }) => token),
    'POST /api/v1/upload-links/{token}/presign token': links.slice(8).map(({ token }) => token),
    'POST /api/v1/upload-links/{token}/presign content_type': ['image/png'],
    upload_id: [parts.upload_id],
    key: [parts.key],
    part_number: [1, 2],
    'GET /api/v1/uploads/download url': [done.result?.url],
    file_url: [image, unowned],
    token_id: ownKeys.map(({ id }) => id),
    'POST /api/v1/admin/tokens/{token_id}/revoke token_id': keys.map(({ id }) => id),
    account_id: [victim.id],
    bot_id: [BOT.id],
    'POST /api/v1/tg/deliver job_id': [circleJob.id],
    'POST /api/v1/auth/login email': [target.admin.email],
    'POST /api/v1/auth/login password': [target.admin.password],
    operation_id: [1, 2, 26, 27],
    provider: ['sandbox_card', 'sandbox_crypto'],
    form_token: [formToken.form_token],
    service_slug: ['video', 'image'],
    operation_key: ['resize', 'compress', 'convert', 'trim', 'link_info'],
    accept_documents: [true],
    accept_immediate: [true],
    accept_recurring: [true],
    captcha_token: [undefined],
    website: [''],
  }
}
