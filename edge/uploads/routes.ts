import { signPartPolicy } from '../accounts/rules/limits.ts'
import { route } from '../http/route.ts'
import { settingsFrom } from '../settings/rules/settings.ts'
import { abortPartUpload } from './abort-parts.ts'
import { completePartUpload } from './complete-parts.ts'
import { createPartUpload } from './create-parts.ts'
import { presignUpload } from './presign.ts'
import { receiveUpload } from './receive.ts'
import {
  DownloadQuery,
  MultipartAbortRequest,
  MultipartCompleteRequest,
  MultipartCreated,
  MultipartCreateRequest,
  MultipartSignPartRequest,
  PresignedUpload,
  PresignRequest,
  SignedPart,
  Upload,
  UploadForm,
} from './schemas.ts'
import { downloadFile } from './serve.ts'
import { signPart } from './sign-part.ts'

const tag = 'Uploads'

const refusals = { 413: 'The file is too large', 415: 'Files of this type are not taken' }

const LIMITS = settingsFrom({})
const OPEN_LIMIT =
  `Uploads that are announced and not used in a job yet may have ${LIMITS.open_upload_gb_max_anonymous} GB together ` +
  `without an account, ${LIMITS.open_upload_gb_max_free} GB of a free account and ${LIMITS.open_upload_gb_max_paid} GB ` +
  'of a plan, unless an administrator changed that; beyond it the answer is 429. A retry with the same ' +
  'Idempotency-Key returns the same upload, which counts once.'

export const uploadRoutes = [
  route({
    method: 'post',
    path: '/api/v1/uploads',
    access: 'anyone',
    tag,
    summary: 'Upload a file through the service',
    form: UploadForm,
    answer: { status: 201, description: 'The file, ready for a job', schema: Upload },
    errors: refusals,
    handle: ({ deps, caller, request }) => receiveUpload(deps, caller, request),
  }),
  route({
    method: 'post',
    path: '/api/v1/uploads/presign',
    access: 'anyone',
    tag,
    summary: 'Prepare a direct upload into storage',
    description: OPEN_LIMIT,
    body: PresignRequest,
    idempotent: true,
    answer: { status: 201, description: 'Where and how to PUT the file', schema: PresignedUpload },
    errors: refusals,
    handle: ({ deps, caller, body, headers, record }) =>
      presignUpload(deps, caller, body, headers, { record }),
  }),
  route({
    method: 'post',
    path: '/api/v1/uploads/multipart/create',
    access: 'anyone',
    tag,
    summary: 'Begin a direct upload that comes in parts',
    description:
      `${OPEN_LIMIT} ` +
      'For files of any size up to the maximum. Ask for a signature of each part (sign-part), PUT the parts ' +
      'in any order, several at once if you like, and complete the upload with their ETags.',
    body: MultipartCreateRequest,
    idempotent: true,
    answer: { status: 201, description: 'The upload, and how it is to be cut', schema: MultipartCreated },
    errors: refusals,
    handle: ({ deps, caller, body, headers, record }) =>
      createPartUpload(deps, caller, body, headers, record),
  }),
  route({
    method: 'post',
    path: '/api/v1/uploads/multipart/sign-part',
    access: 'anyone',
    tag,
    summary: 'Sign one part of an upload, as often as needed',
    body: MultipartSignPartRequest,
    guard: ({ sign_parts_per_minute_per_ip: limit }) => signPartPolicy(limit),
    answer: { status: 200, description: 'Where to PUT the part', schema: SignedPart },
    errors: { 404: 'Unknown upload, or its time is over', 409: 'The upload is complete already' },
    handle: ({ deps, caller, body }) => signPart(deps, caller, body),
  }),
  route({
    method: 'post',
    path: '/api/v1/uploads/multipart/complete',
    access: 'anyone',
    tag,
    summary: 'Put the parts of an upload together',
    body: MultipartCompleteRequest,
    answer: { status: 201, description: 'The file, ready for a job', schema: PresignedUpload },
    errors: {
      ...refusals,
      400: 'Parts are missing or others than came, or the file is too short',
      404: 'Unknown upload, or its time is over',
    },
    handle: ({ deps, caller, body }) => completePartUpload(deps, caller, body),
  }),
  route({
    method: 'post',
    path: '/api/v1/uploads/multipart/abort',
    access: 'anyone',
    tag,
    summary: 'Forget an upload and its parts; best effort',
    body: MultipartAbortRequest,
    answer: { status: 204, description: 'Whatever was there is being removed', schema: null },
    handle: ({ deps, caller, body }) => abortPartUpload(deps, caller, body),
  }),
  route({
    method: 'get',
    path: '/api/v1/uploads/download',
    access: 'either',
    tag,
    summary: "Download one of the caller's files as an attachment",
    query: DownloadQuery,
    answer: { status: 200, description: 'The file', schema: 'file' },
    errors: {
      400: 'Not an address of a file here',
      404: 'Unknown file, or one whose time is over',
      416: 'The range lies outside the file',
    },
    handle: ({ deps, caller, query, headers }) => downloadFile(deps, caller, query.url, headers),
  }),
]
