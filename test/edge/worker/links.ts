import { expect } from 'vitest'
import type { TestContext } from './context.ts'
import { MP4 } from './files.ts'
import { freshAddress } from './limited-context.ts'
import type { Person } from './people.ts'

export const SESSIONS = '/api/v1/upload-sessions'
export const LINKS = '/api/v1/upload-links'

/** A link that takes videos, for video/compress, unless said otherwise. */
export const WANTED = { service_slug: 'video', operation_key: 'compress', params: { level: 'medium' } }

export interface Link {
  id: string
  token: string
  /** Of the API, for whoever holds it. */
  path: string
}

/** Makes a link that must be made. */
export async function makeLink({ call }: TestContext, { token }: Person, wanted: object = {}): Promise<Link> {
  const answer = await call('POST', SESSIONS, { token, body: { ...WANTED, ...wanted } })
  expect(answer.status, answer.text).toBe(201)
  return { id: answer.json.id, token: answer.json.token, path: `${LINKS}/${answer.json.token}` }
}

export async function showSession({ call }: TestContext, { token }: Person, { id }: Link) {
  return (await call('GET', `${SESSIONS}/${id}`, { token })).json
}

/** Somebody who has not called before. */
export function fromAfar(): Record<string, string> {
  return { 'cf-connecting-ip': freshAddress() }
}

interface Sent {
  filename: string
  content_type: string
  bytes: Uint8Array
}

/** Begins an upload by a link that must be let begin; the file is in storage as if it had been PUT. */
export async function sendByLink(
  { call, deps }: TestContext,
  { path }: Link,
  { filename, content_type, bytes }: Sent = MP4,
  announced: object = {},
): Promise<string> {
  const body = { filename, content_type, size_bytes: bytes.length, ...announced }
  const answer = await call('POST', `${path}/presign`, { body, headers: fromAfar() })
  expect(answer.status, answer.text).toBe(201)
  await deps.storage.put(answer.json.key, new Blob([Uint8Array.from(bytes)]), content_type)
  return answer.json.key
}

export function completeLink({ call }: TestContext, { path }: Link, key?: string) {
  return call('POST', `${path}/complete`, { body: key === undefined ? {} : { key }, headers: fromAfar() })
}

/** A file as a form carries it. */
export function formOf({ filename, content_type, bytes }: Sent): FormData {
  const form = new FormData()
  form.set('file', new File([Uint8Array.from(bytes)], filename, { type: content_type }))
  return form
}
