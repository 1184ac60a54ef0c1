import type { CrossTenantRequest } from './cross-tenant-request.ts'

const JOB = [404, 'job_not_found'] as const
const BATCH = [404, 'batch_not_found'] as const
const SESSION = [404, 'upload_session_not_found'] as const
const PARTS = [404, 'upload_not_found'] as const
const FILE = [404, 'file_not_found'] as const
const CONNECTION = [404, 'storage_connection_not_found'] as const
const NO_CONNECTION = [422, 'validation_failed'] as const
const NO_FILE = [400, 'invalid_file_url'] as const

const RESIZE = { service_slug: 'image', operation_key: 'resize' }
const WATERMARK = { service_slug: 'image', operation_key: 'watermark' }
const SMALL = { ...RESIZE, params: { width: 16 } }
const ON_FILE = { ...RESIZE, params: { width: 16, file_url: '{file_url}' } }
const ON_RESULT = { ...RESIZE, params: { width: 16, file_url: '{result_url}' } }
const WITH_LOGO = { ...WATERMARK, params: { file_url: '{own_file_url}', logo_url: '{file_url}' } }
const LATER_LOGO = {
  ...RESIZE,
  params: {
    file_url: '{own_file_url}',
    width: 16,
    operations: [{ operation_key: 'watermark', params: { logo_url: '{file_url}' } }],
  },
}
const LINK_WITH_LOGO = { ...WATERMARK, params: { logo_url: '{file_url}' } }

const JOBS: CrossTenantRequest[] = [
  { endpoint: 'GET /api/v1/jobs/{job_id}', served: 200, refused: JOB },
  { endpoint: 'GET /api/v1/jobs/{job_id}/events', served: 200, refused: JOB },
  { endpoint: 'POST /api/v1/jobs/{job_id}/repeat', served: 201, refused: JOB },
  { endpoint: 'POST /api/v1/jobs/{job_id}/delivered', served: 200, refused: JOB },
  {
    endpoint: 'POST /api/v1/jobs/{job_id}/cancel',
    path: { job_id: '{open_job_id}' },
    served: 200,
    refused: JOB,
  },
  { endpoint: 'POST /api/v1/jobs', body: ON_FILE, served: 201, refused: NO_FILE },
  { endpoint: 'POST /api/v1/jobs', body: ON_RESULT, served: 201, refused: NO_FILE },
  { endpoint: 'POST /api/v1/jobs/api', body: WITH_LOGO, served: 201, refused: NO_FILE },
  { endpoint: 'POST /api/v1/jobs/api', body: LATER_LOGO, served: 201, refused: NO_FILE },
  {
    endpoint: 'POST /api/v1/jobs/upload',
    form: { ...WATERMARK, params: '{"logo_url": "{file_url}"}' },
    served: 201,
    refused: NO_FILE,
  },
  // A quote does not read the file.
  { endpoint: 'POST /api/v1/jobs/quote', body: ON_FILE, served: 200, refused: [200, null] },
  // This system has no bot. edge/messenger/delivery-links.test.ts tests strangers on a system with a bot.
  {
    endpoint: 'POST /api/v1/tg/deliver',
    body: { job_id: '{job_id}' },
    served: 503,
    refused: [503, 'messenger_not_configured'],
  },
]

const TEMPLATE = [404, 'template_not_found'] as const

const TEMPLATES: CrossTenantRequest[] = [
  {
    endpoint: 'POST /api/v1/templates/{template_name}/jobs',
    body: { file_url: '{file_url}' },
    served: 201,
    refused: TEMPLATE,
  },
  {
    endpoint: 'POST /api/v1/templates/{template_name}/batches',
    body: { file_urls: ['{file_url}'] },
    served: 201,
    refused: TEMPLATE,
  },
]

const STUDIO: CrossTenantRequest[] = [
  {
    endpoint: 'POST /api/v1/studio/run',
    body: { ...SMALL, file_url: '{file_url}' },
    served: 201,
    refused: NO_FILE,
  },
  { endpoint: 'POST /api/v1/studio/run', body: WITH_LOGO, served: 201, refused: NO_FILE },
  {
    endpoint: 'POST /api/v1/studio/batch',
    body: { ...SMALL, file_urls: ['{own_file_url}', '{file_url}'] },
    served: 201,
    refused: NO_FILE,
  },
  {
    endpoint: 'POST /api/v1/studio/batch',
    body: { ...SMALL, files: [{ url: '{result_url}' }] },
    served: 201,
    refused: NO_FILE,
  },
  { endpoint: 'GET /api/v1/studio/batches/{batch_id}', served: 200, refused: BATCH },
  {
    endpoint: 'POST /api/v1/studio/batches/{batch_id}/repeat',
    path: { batch_id: '{open_batch_id}' },
    served: 201,
    refused: BATCH,
  },
  {
    endpoint: 'POST /api/v1/studio/batches/{batch_id}/cancel',
    path: { batch_id: '{open_batch_id}' },
    served: 200,
    refused: BATCH,
  },
]

const UPLOADS: CrossTenantRequest[] = [
  { endpoint: 'GET /api/v1/uploads/download', query: 'url={file_url}', served: 200, refused: FILE },
  { endpoint: 'GET /api/v1/uploads/download', query: 'url={result_url}', served: 200, refused: FILE },
  {
    endpoint: 'POST /api/v1/uploads/multipart/sign-part',
    body: { upload_id: '{upload_id}', key: '{key}', part_number: 1 },
    served: 200,
    refused: PARTS,
  },
  {
    endpoint: 'POST /api/v1/uploads/s3/sign',
    body: { method: 'GET', upload_id: '{upload_id}', key: '{key}' },
    served: 200,
    refused: PARTS,
  },
  {
    endpoint: 'POST /api/v1/uploads/multipart/complete',
    body: { upload_id: '{upload_id}', key: '{key}', parts: [{ part_number: 1, etag: '{etag}' }] },
    served: 201,
    refused: PARTS,
  },
  // The response does not reveal whether the upload exists. The owner can still complete the upload, which shows
  // that it was not aborted.
  {
    endpoint: 'POST /api/v1/uploads/multipart/abort',
    body: { upload_id: '{upload_id}', key: '{key}' },
    served: 204,
    refused: [204, null],
  },
]

const IN_STORAGE = { ...RESIZE, params: { width: 16, file_url: '{storage_url}' } }
const TO_STORAGE = {
  ...RESIZE,
  params: { width: 16, file_url: '{own_file_url}' },
  output: { storage: '{connection_name}' },
}

const STORAGE: CrossTenantRequest[] = [
  { endpoint: 'POST /api/v1/jobs', body: IN_STORAGE, served: 201, refused: NO_FILE },
  { endpoint: 'POST /api/v1/jobs', body: TO_STORAGE, served: 201, refused: NO_CONNECTION },
  { endpoint: 'POST /api/v1/jobs/api', body: TO_STORAGE, served: 201, refused: NO_CONNECTION },
  {
    endpoint: 'POST /api/v1/studio/run',
    body: { ...TO_STORAGE, params: { width: 16 }, file_url: '{own_file_url}' },
    served: 201,
    refused: NO_CONNECTION,
  },
  {
    endpoint: 'POST /api/v1/studio/batch',
    body: { ...SMALL, file_urls: ['{own_file_url}'], output: { storage: '{connection_name}' } },
    served: 201,
    refused: NO_CONNECTION,
  },
  {
    endpoint: 'PATCH /api/v1/storage-connections/{connection_name}',
    body: { bucket: 'another-bucket' },
    served: 200,
    refused: CONNECTION,
  },
  { endpoint: 'POST /api/v1/storage-connections/{connection_name}/check', served: 200, refused: CONNECTION },
  { endpoint: 'DELETE /api/v1/storage-connections/{connection_name}', served: 204, refused: CONNECTION },
]

const LINKS: CrossTenantRequest[] = [
  { endpoint: 'GET /api/v1/upload-sessions/{session_id}', served: 200, refused: SESSION },
  { endpoint: 'DELETE /api/v1/upload-sessions/{session_id}', served: 204, refused: SESSION },
  // Referenced files are checked only after the link's own file has arrived, as in the requests below.
  { endpoint: 'POST /api/v1/upload-sessions', body: LINK_WITH_LOGO, served: 201, refused: [201, null] },
  { endpoint: 'POST /api/v1/upload-sessions/api', body: LINK_WITH_LOGO, served: 201, refused: [201, null] },
  // Uses the sender's own link, whose params refer to the file. The holder of the link does not see the params.
  {
    endpoint: 'POST /api/v1/upload-links/{token}/file',
    path: { token: '{logo_token}' },
    form: {},
    served: 201,
    refused: [400, 'upload_link_failed'],
  },
  // Uses the sender's own link with the key of an upload that was started through another link.
  {
    endpoint: 'POST /api/v1/upload-links/{token}/complete',
    path: { token: '{begun_token}' },
    body: { key: '{begun_key}' },
    served: 201,
    refused: [409, 'upload_superseded'],
  },
]

/** Requests that refer to jobs, files, templates, storage connections or upload links, in order. */
export const MEDIA_REQUESTS: readonly CrossTenantRequest[] = [
  ...[...JOBS, ...STUDIO, ...TEMPLATES, ...UPLOADS, ...STORAGE, ...LINKS],
]
