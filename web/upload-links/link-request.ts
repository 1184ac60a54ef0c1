import type { UploadSessionCreate } from '../../client/src/index.ts'
import type { Operation } from '../studio/workspace/items.ts'

const BYTES_PER_MB = 1024 ** 2

/** What the owner of a link chooses besides the operation, as the form holds it. */
export interface LinkDraft {
  /** Empty: every type that the operation accepts. */
  types: readonly string[]
  /** Empty: the limit of the service. */
  max_size_mb: string
  /** Seconds. */
  expires_in: string
  note: string
  webhook_url: string
}

export const DAY_S = 24 * 60 * 60

export const EMPTY_DRAFT: LinkDraft = {
  types: [],
  max_size_mb: '',
  expires_in: String(DAY_S),
  note: '',
  webhook_url: '',
}

/** Makes the request of a link. What is empty is left out, so that the service chooses it. */
export function makeRequest(operation: Operation, draft: LinkDraft): UploadSessionCreate {
  const { types, max_size_mb, expires_in } = draft
  const [note, webhook_url] = [draft.note.trim(), draft.webhook_url.trim()]
  return {
    ...operation,
    expires_in: Number(expires_in),
    ...(types.length > 0 && { allowed_mime_types: [...types] }),
    ...(max_size_mb !== '' && { max_size_bytes: Math.round(Number(max_size_mb) * BYTES_PER_MB) }),
    ...(note !== '' && { note }),
    ...(webhook_url !== '' && { webhook_url }),
  }
}
