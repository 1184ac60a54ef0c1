/** Declared facts of a new upload. */
export interface Declaration {
  filename: string
  content_type: string
  size_bytes: number
  part_size?: number | undefined
}

/** A request to sign one S3 call, as Uppy's S3 plugin describes it. */
export interface S3CallRequest extends Partial<Declaration> {
  method: 'GET' | 'PUT' | 'POST' | 'DELETE'
  key?: string | undefined
  upload_id?: string | undefined
  part_number?: number | undefined
}

/** Calls on an upload in parts that is open. */
export type OpenUploadCall = 'list' | 'complete' | 'abort'

/** A call that starts an upload: with a single PUT, or in parts. */
export type NewUploadCall = { call: 'put' | 'create' } & Declaration

/** An S3 call that can be signed. */
export type S3Call =
  | NewUploadCall
  | { call: 'part'; key: string; upload_id: string; part_number: number }
  | { call: OpenUploadCall; key: string; upload_id: string }

export interface S3CallFault {
  field: 'filename' | 'key' | 'upload_id' | 'part_number'
  fault: 'declaration_missing' | 'upload_key_missing' | 'upload_id_missing' | 'misplaced_part_number'
}

const CALLS = { GET: 'list', POST: 'complete', DELETE: 'abort' } as const

/** Returns the S3 call that a request asks for, or its fault. Contract: Uploads, Uploads with S3 clients. */
export function readS3Call(request: S3CallRequest): S3Call | S3CallFault {
  const { method, key, upload_id, part_number } = request
  if (upload_id === undefined) return readNewUpload(request)
  if (key === undefined) return { field: 'key', fault: 'upload_key_missing' }
  if ((method === 'PUT') !== (part_number !== undefined)) {
    return { field: 'part_number', fault: 'misplaced_part_number' }
  }
  if (method !== 'PUT') return { call: CALLS[method], key, upload_id }
  return { call: 'part', key, upload_id, part_number: part_number ?? 0 }
}

function readNewUpload(request: S3CallRequest): S3Call | S3CallFault {
  const { method, part_number, filename, content_type, size_bytes, part_size } = request
  if (method === 'GET' || method === 'DELETE') return { field: 'upload_id', fault: 'upload_id_missing' }
  if (part_number !== undefined) return { field: 'part_number', fault: 'misplaced_part_number' }
  if (filename === undefined || content_type === undefined || size_bytes === undefined) {
    return { field: 'filename', fault: 'declaration_missing' }
  }
  return { call: method === 'PUT' ? 'put' : 'create', filename, content_type, size_bytes, part_size }
}
