import { createHash } from 'node:crypto'

/** A response that is the same for every caller, ready to send. */
export interface SharedAnswer {
  json: string
  /** Changes with the response and differs between languages. Weak, because compression changes the bytes. */
  etag: string
}

export function toSharedAnswer(content: unknown): SharedAnswer {
  const json = JSON.stringify(content)
  return { json, etag: `W/"${createHash('sha256').update(json).digest('base64url')}"` }
}
