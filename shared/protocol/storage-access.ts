import { z } from 'zod'

/**
 * POST {edge}/internal/storage-access, signed like a report. A running attempt requests access to one object in the
 * storage of its customer: to read an input, or to write a file of the result. Only the edge has the credentials, also
 * those for an import by URL.
 */
const base = { job_id: z.string(), fence: z.int().min(1) }

export const StorageAccessRequest = z.discriminatedUnion('type', [
  z.object({ type: z.literal('read'), ...base, address: z.string() }),
  /** To import the file of the job by URL, with the headers of the customer. */
  z.object({ type: z.literal('import'), ...base }),
  z.object({
    type: z.literal('write'),
    ...base,
    filename: z.string(),
    content_type: z.string(),
    size_bytes: z.int().min(0),
    /** Number of files of the result. */
    file_count: z.int().min(1),
  }),
])
export type StorageAccessRequest = z.infer<typeof StorageAccessRequest>

/** Why no access can be signed; `access_refused` if no more is known. */
const ACCESS_FAULTS = ['unknown_connection', 'invalid_key', 'access_refused'] as const

export const StorageAccess = z.discriminatedUnion('outcome', [
  z.object({
    outcome: z.literal('granted'),
    /** A signed URL for a GET or PUT of the object, or that of an import. It is a credential and must not be logged. */
    url: z.url(),
    /** Headers that the signature covers, or those of an import. */
    headers: z.record(z.string(), z.string()),
    /** The object as `storage://NAME/KEY`, or the URL of an import. */
    address: z.string(),
  }),
  /** The job fails with this fault. */
  z.object({
    outcome: z.literal('refused'),
    /** Absent in answers of older edges; a newer edge can send a fault that this fleet does not know. */
    fault: z.enum(ACCESS_FAULTS).catch('access_refused'),
    /** Absent in answers of older edges. */
    address: z.string().optional(),
    /** The fault as an English sentence. Older fleets read only this field; the edge always sends it. */
    reason: z.string().optional(),
  }),
  /** The job has ended, or another attempt owns it. */
  z.object({ outcome: z.literal('over') }),
])
export type StorageAccess = z.infer<typeof StorageAccess>
