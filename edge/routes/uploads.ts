import { DownloadQuery, PresignedUpload, PresignRequest, Upload, UploadForm } from '../contract/upload.ts'
import { route } from '../http/route.ts'
import { presignUpload } from '../services/uploads/presign.ts'
import { receiveUpload } from '../services/uploads/receive.ts'
import { downloadFile } from '../services/uploads/serve.ts'

const tag = 'Uploads'

const refusals = { 413: 'The file is too large', 415: 'Files of this type are not taken' }

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
    body: PresignRequest,
    answer: { status: 201, description: 'Where and how to PUT the file', schema: PresignedUpload },
    errors: refusals,
    handle: ({ deps, caller, body, headers }) => presignUpload(deps, caller, body, headers),
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
      404: 'Unknown file',
      416: 'The range lies outside the file',
    },
    handle: ({ deps, caller, query, headers }) => downloadFile(deps, caller, query.url, headers),
  }),
]
