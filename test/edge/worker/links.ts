import { expect } from 'vitest'
import type { TestContext } from './context.ts'
import { MP4 } from './files.ts'
import { freshAddress } from './limited-context.ts'
import type { Person } from './people.ts'

export const SESSIONS = '/api/v1/upload-sessions'
export const LINKS = '/api/v1/upload-links'

/** The default link in these tests. It accepts videos for video/compress. */
export const COMPRESS_LINK = { service_slug: 'video', operation_key: 'compress', params: { level: 'medium' } }

export interface Link {
  id: string
  token: string
  /** API path for whoever holds the link. */
  path: `/api/v1/upload-links/${string}`
}

/** Creates an upload link. The test fails if the request is refused. */
export async function makeLink(
  { call }: TestContext,
  { token }: Person,
  changes: object = {},
): Promise<Link> {
  const answer = await call('POST', SESSIONS, { token, body: { ...COMPRESS_LINK, ...changes } })
  expect(answer.status, answer.text).toBe(201)
  return { id: answer.json.id, token: answer.json.token, path: `${LINKS}/${answer.json.token}` }
}

export async function showSession({ call }: TestContext, { token }: Person, { id }: Link) {
  return (await call('GET', `${SESSIONS}/${id}`, { token })).json
}

/** Returns headers for a caller that has not made any calls yet. */
export function newCallerHeaders(): Record<string, string> {
  return { 'cf-connecting-ip': freshAddress() }
}

interface Sent {
  filename: string
  content_type: string
  bytes: Uint8Array
}

/**
 * Starts an upload through a link and stores the file as a PUT would. The request must be accepted.
 * @returns the file's key
 */
export async function sendByLink(
  { call, deps }: TestContext,
  { path }: Link,
  { filename, content_type, bytes }: Sent = MP4,
  declared: object = {},
): Promise<string> {
  const body = { filename, content_type, size_bytes: bytes.length, ...declared }
  const answer = await call('POST', `${path}/presign`, { body, headers: newCallerHeaders() })
  expect(answer.status, answer.text).toBe(201)
  await deps.storage.put(answer.json.key, new Blob([Uint8Array.from(bytes)]), content_type)
  return answer.json.key
}

export function completeLink({ call }: TestContext, { path }: Link, key?: string) {
  return call('POST', `${path}/complete`, {
    body: key === undefined ? {} : { key },
    headers: newCallerHeaders(),
  })
}

/** Wraps a file in a form. */
export function formOf({ filename, content_type, bytes }: Sent): FormData {
  const form = new FormData()
  form.set('file', new File([Uint8Array.from(bytes)], filename, { type: content_type }))
  return form
}
