import { route } from '../http/route.ts'
import { PresignedUpload, PresignRequest, UploadForm } from '../uploads/schemas.ts'
import { presignLinkUpload } from './begin.ts'
import { completeLinkUpload, receiveLinkForm } from './complete.ts'
import { showLink, showLinkState } from './open-link.ts'
import { UploadLink, UploadLinkComplete, UploadLinkPath, UploadLinkState } from './schemas.ts'

const tag = 'Upload links'
const closed = {
  404: 'Unknown link',
  409: 'The link was used already',
  410: 'The link has expired or was withdrawn; ask for a new one',
}
const refusals = {
  ...closed,
  413: 'The file is too large',
  415: 'Files of this type may not be sent by this link',
}
const taken = { 400: 'Nothing came, or no job can be made of it', 402: "The link's owner can't pay for it" }
const accepted = {
  status: 201,
  description: 'The file is being worked on; the link is used up',
  schema: UploadLinkState,
}

/** What whoever holds an upload link does with it; nobody is asked who they are. */
export const uploadLinkRoutes = [
  route({
    method: 'get',
    path: '/api/v1/upload-links/{token}',
    access: 'none',
    tag,
    summary: 'What may be sent by a link, and what for',
    params: UploadLinkPath,
    answer: { status: 200, description: 'The link is open', schema: UploadLink },
    errors: closed,
    handle: ({ deps, path }) => showLink(deps, path.token),
  }),
  route({
    method: 'get',
    path: '/api/v1/upload-links/{token}/status',
    access: 'none',
    tag,
    summary: 'What became of the file that was sent by a link',
    params: UploadLinkPath,
    answer: { status: 200, description: 'How it stands', schema: UploadLinkState },
    errors: { 404: 'Unknown link' },
    handle: ({ deps, path }) => showLinkState(deps, path.token),
  }),
  route({
    method: 'post',
    path: '/api/v1/upload-links/{token}/presign',
    access: 'none',
    tag,
    summary: 'Prepare to send the file straight into storage',
    params: UploadLinkPath,
    body: PresignRequest,
    submits: true,
    answer: { status: 201, description: 'Where and how to PUT the file', schema: PresignedUpload },
    errors: refusals,
    handle: ({ deps, path, body, headers }) => presignLinkUpload(deps, path.token, body, headers),
  }),
  route({
    method: 'post',
    path: '/api/v1/upload-links/{token}/complete',
    access: 'none',
    tag,
    summary: 'Say that the file has been PUT; the job begins',
    params: UploadLinkPath,
    body: UploadLinkComplete,
    submits: true,
    answer: accepted,
    errors: { ...refusals, ...taken },
    handle: ({ deps, path, body }) => completeLinkUpload(deps, path.token, body.key),
  }),
  route({
    method: 'post',
    path: '/api/v1/upload-links/{token}/file',
    access: 'none',
    tag,
    summary: 'Send the file as a form; the job begins',
    params: UploadLinkPath,
    form: UploadForm,
    submits: true,
    answer: accepted,
    errors: { ...refusals, ...taken },
    handle: ({ deps, path, request }) => receiveLinkForm(deps, path.token, request),
  }),
]
