import { signPartPolicy } from '../accounts/rules/limits.ts'
import { route } from '../http/route.ts'
import { addressSubject } from '../platform/http/subjects.ts'
import { settingsFrom } from '../settings/rules/settings.ts'
import { abortPartUpload } from './abort-parts.ts'
import { completePartUpload } from './complete-parts.ts'
import { createPartUpload } from './create-parts.ts'
import { deleteUpload } from './delete-upload.ts'
import { answerFile, readFileRequest } from './file-response.ts'
import { findOwnFile } from './find-file.ts'
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
  S3SignedRequest,
  S3SignRequest,
  SignedPart,
  Upload,
  UploadForm,
  UploadPath,
} from './schemas.ts'
import { signPart } from './sign-part.ts'
import { signS3Call } from './sign-s3.ts'

const tag = 'Uploads'

const DIRECT_ERRORS = [
  'file_too_large',
  'file_type_not_allowed',
  'too_many_uploads',
  'too_many_open_uploads',
] as const

const LIMITS = settingsFrom({})
const OPEN_LIMIT =
  `Uploads that no job uses are limited to ${LIMITS.open_upload_gb_max_anonymous} GB in total without ` +
  `an account, ${LIMITS.open_upload_gb_max_free} GB on a free account and ` +
  `${LIMITS.open_upload_gb_max_paid} GB on a plan, unless an administrator changes the limits. Above the ` +
  'limit the response is 429. Repeating the request with the same Idempotency-Key returns the same upload, ' +
  'which counts once.'

export const uploadRoutes = [
  route({
    method: 'post',
    path: '/api/v1/uploads',
    name: 'uploads.create',
    access: 'anyone',
    forJson: 'POST /api/v1/uploads/presign',
    tag,
    summary: 'Upload a file through the API',
    form: UploadForm,
    answer: { status: 201, description: 'The file, ready for a job', schema: Upload },
    errors: DIRECT_ERRORS,
    handle: ({ deps, caller, request }) => receiveUpload(deps, caller, request),
  }),
  route({
    method: 'post',
    path: '/api/v1/uploads/presign',
    name: 'uploads.presign',
    access: 'anyone',
    tag,
    summary: 'Prepare a direct upload to storage',
    description: OPEN_LIMIT,
    body: PresignRequest,
    idempotent: true,
    answer: { status: 201, description: 'URL and headers for the PUT request', schema: PresignedUpload },
    errors: DIRECT_ERRORS,
    handle: ({ deps, caller, body, headers, record }) =>
      presignUpload(deps, caller, body, addressSubject(headers), { record }),
  }),
  route({
    method: 'post',
    path: '/api/v1/uploads/multipart/create',
    name: 'uploads.createMultipart',
    access: 'anyone',
    tag,
    summary: 'Start a multipart upload directly to storage',
    description:
      `${OPEN_LIMIT} ` +
      'Supports files of any size up to the maximum. Request a signed URL for each part (sign-part), PUT ' +
      'the parts in any order or in parallel, and complete the upload with their ETags.',
    body: MultipartCreateRequest,
    idempotent: true,
    answer: { status: 201, description: 'The upload with its part size', schema: MultipartCreated },
    errors: DIRECT_ERRORS,
    handle: ({ deps, caller, body, headers, record }) =>
      createPartUpload(deps, caller, body, addressSubject(headers), record),
  }),
  route({
    method: 'post',
    path: '/api/v1/uploads/multipart/sign-part',
    name: 'uploads.signPart',
    access: 'anyone',
    tag,
    summary: 'Sign the URL of one part; can be repeated',
    body: MultipartSignPartRequest,
    guard: ({ sign_parts_per_minute_per_ip: limit }) => signPartPolicy(limit),
    answer: { status: 200, description: 'URL for the PUT request of the part', schema: SignedPart },
    errors: ['upload_not_found', 'upload_already_completed'],
    handle: ({ deps, caller, body }) => signPart(deps, caller, body),
  }),
  route({
    method: 'post',
    path: '/api/v1/uploads/multipart/complete',
    name: 'uploads.completeMultipart',
    access: 'anyone',
    tag,
    summary: 'Complete a multipart upload',
    body: MultipartCompleteRequest,
    answer: { status: 201, description: 'The file, ready for a job', schema: PresignedUpload },
    errors: [
      'upload_not_found',
      'parts_missing',
      'too_many_parts',
      'parts_out_of_order',
      'part_mismatch',
      'file_truncated',
      'file_larger_than_declared',
      'file_encoded',
      'file_type_mismatch',
    ],
    handle: ({ deps, caller, body }) => completePartUpload(deps, caller, body),
  }),
  route({
    method: 'post',
    path: '/api/v1/uploads/multipart/abort',
    name: 'uploads.abortMultipart',
    access: 'anyone',
    tag,
    summary: 'Abort an upload and delete its parts; best effort',
    body: MultipartAbortRequest,
    answer: { status: 204, description: 'Any uploaded parts are being deleted', schema: null },
    handle: ({ deps, caller, body }) => abortPartUpload(deps, caller, body),
  }),
  route({
    method: 'post',
    path: '/api/v1/uploads/s3/sign',
    name: 'uploads.signS3',
    access: 'anyone',
    tag,
    summary: 'Sign one S3 request of a client that uploads by itself, such as Uppy',
    description:
      'Without `upload_id`, starts a new upload: PUT for a single request, POST for an upload in parts. With ' +
      '`upload_id`: PUT signs a part, GET lists the parts, POST completes the upload and DELETE aborts it. ' +
      `The file is checked when a job first uses it. ${OPEN_LIMIT}`,
    body: S3SignRequest,
    idempotent: true,
    guard: ({ sign_parts_per_minute_per_ip: limit }) => signPartPolicy(limit),
    answer: { status: 200, description: 'The signed request', schema: S3SignedRequest },
    errors: [...DIRECT_ERRORS, 'upload_not_found', 'upload_already_completed'],
    handle: ({ deps, caller, body, headers, record }) =>
      signS3Call(deps, caller, body, addressSubject(headers), record),
  }),
  route({
    method: 'get',
    path: '/api/v1/uploads/download',
    name: 'uploads.download',
    access: 'either',
    tag,
    summary: "Download one of the caller's files as an attachment",
    query: DownloadQuery,
    answer: { status: 200, description: 'The file', schema: 'file' },
    errors: ['invalid_file_url', 'file_not_found', 'range_not_satisfiable'],
    handle: async ({ deps, caller, query, headers }) => {
      const wanted = readFileRequest(headers)
      return answerFile(await findOwnFile(deps, caller, query.url, wanted), 'attachment', wanted)
    },
  }),
  route({
    method: 'delete',
    path: '/api/v1/uploads/{key}',
    name: 'uploads.delete',
    access: 'either',
    tag,
    summary: 'Delete an upload with its file',
    description:
      'The key is one segment of the path, so its slashes are encoded as %2F. Jobs that have used it stay.',
    params: UploadPath,
    answer: { status: 204, description: 'The upload was deleted', schema: null },
    errors: ['upload_not_found', 'file_in_use'],
    handle: ({ deps, caller, path }) => deleteUpload(deps, caller, path.key),
  }),
]
