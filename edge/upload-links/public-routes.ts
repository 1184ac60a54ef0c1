import { route } from '../http/route.ts'
import { addressSubject } from '../platform/http/subjects.ts'
import { PresignedUpload, PresignRequest, UploadForm } from '../uploads/schemas.ts'
import { presignLinkUpload } from './begin.ts'
import { completeLinkUpload, receiveLinkForm } from './complete.ts'
import { atLink } from './find-link-owner.ts'
import { showLink, showLinkState } from './open-link.ts'
import { UploadLink, UploadLinkComplete, UploadLinkPath, UploadLinkState } from './schemas.ts'

const tag = 'Upload links'
const CLOSED_ERRORS = [
  'upload_link_not_found',
  'upload_link_used',
  'upload_link_expired',
  'upload_link_withdrawn',
  'upload_link_closed',
] as const
const FILE_ERRORS = ['file_too_large', 'file_type_not_allowed'] as const
const ACCEPT_ERRORS = [
  'file_not_uploaded',
  'file_truncated',
  'file_larger_than_declared',
  'file_encoded',
  'file_type_mismatch',
  'upload_link_unpaid',
  'upload_link_failed',
  'upload_link_busy',
] as const
const accepted = {
  status: 201,
  description: 'The file is being processed; the link is used',
  schema: UploadLinkState,
}

/** Endpoints for the person who opens an upload link. The link is the only credential. */
export const uploadLinkRoutes = [
  route({
    method: 'get',
    path: '/api/v1/upload-links/{token}',
    name: 'uploadLinks.get',
    access: 'none',
    tag,
    summary: 'Show which files a link accepts, and what for',
    description: 'Title, description and summary are in the language of Accept-Language.',
    params: UploadLinkPath,
    answer: { status: 200, description: 'The link is open', schema: UploadLink },
    localized: true,
    errors: CLOSED_ERRORS,
    handle: async ({ deps, path, locale }) => showLink(await atLink(deps, path.token), path.token, locale),
  }),
  route({
    method: 'get',
    path: '/api/v1/upload-links/{token}/status',
    name: 'uploadLinks.getStatus',
    access: 'none',
    tag,
    summary: 'Show the status of the file that was sent through a link',
    params: UploadLinkPath,
    answer: { status: 200, description: 'The status', schema: UploadLinkState },
    localized: true,
    errors: ['upload_link_not_found'],
    handle: async ({ deps, path }) => showLinkState(await atLink(deps, path.token), path.token),
  }),
  route({
    method: 'post',
    path: '/api/v1/upload-links/{token}/presign',
    name: 'uploadLinks.presign',
    access: 'none',
    tag,
    summary: 'Prepare a direct upload to storage',
    params: UploadLinkPath,
    body: PresignRequest,
    submits: true,
    answer: { status: 201, description: 'URL and headers for the PUT request', schema: PresignedUpload },
    errors: [
      ...CLOSED_ERRORS,
      ...FILE_ERRORS,
      'upload_link_exhausted',
      'too_many_attempts',
      'too_many_uploads',
      'upload_link_full',
    ],
    handle: async ({ deps, path, body, headers }) =>
      presignLinkUpload(await atLink(deps, path.token), path.token, body, addressSubject(headers)),
  }),
  route({
    method: 'post',
    path: '/api/v1/upload-links/{token}/complete',
    name: 'uploadLinks.complete',
    access: 'none',
    tag,
    summary: 'Confirm that the file was uploaded, and start the job',
    params: UploadLinkPath,
    body: UploadLinkComplete,
    submits: true,
    answer: accepted,
    errors: [...CLOSED_ERRORS, ...FILE_ERRORS, ...ACCEPT_ERRORS, 'upload_superseded'],
    handle: async ({ deps, path, body }) =>
      completeLinkUpload(await atLink(deps, path.token), path.token, body.key),
  }),
  route({
    method: 'post',
    path: '/api/v1/upload-links/{token}/file',
    name: 'uploadLinks.uploadFile',
    access: 'none',
    forJson: 'POST /api/v1/upload-links/{token}/presign',
    tag,
    summary: 'Upload the file as a form, and start the job',
    params: UploadLinkPath,
    form: UploadForm,
    submits: true,
    answer: accepted,
    errors: [
      ...CLOSED_ERRORS,
      ...FILE_ERRORS,
      ...ACCEPT_ERRORS,
      'upload_link_exhausted',
      'upload_superseded',
      'too_many_attempts',
      'too_many_uploads',
      'upload_link_full',
    ],
    handle: async ({ deps, path, request }) =>
      receiveLinkForm(await atLink(deps, path.token), path.token, request),
  }),
]
