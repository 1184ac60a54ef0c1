import { expect } from 'vitest'
import { beginSession } from '../../../edge/accounts/begin-session.ts'
import { hashPassword } from '../../../edge/accounts/password-hash.ts'
import { insertAccount, toCallerAccount } from '../../../edge/accounts/queries.ts'
import { changeCredits, settleAccount } from '../../../edge/credits/change-credits.ts'
import { loadCredits } from '../../../edge/credits/queries.ts'
import { type GrantKind, grant } from '../../../edge/credits/rules/ledger.ts'
import { publicUrl, type TestContext } from './context.ts'

export interface Person {
  id: number
  email: string
  password: string
  token: string
}

const PASSWORD = 'correct horse battery'
/** A client that names itself by nothing. */
export const NO_CLIENT = { address: null, user_agent: null }
/** Computed once, because hashing is slow by design and the tests create hundreds of accounts. */
let passwordHash: Promise<string> | undefined

/** Creates an account with a session and a daily allowance of 20 credits. */
export async function register({ deps }: TestContext): Promise<Person> {
  const email = `${crypto.randomUUID()}@example.com`
  passwordHash ??= hashPassword(PASSWORD)
  const row = await insertAccount(deps.db, {
    email,
    emailKey: email,
    addressHash: '',
    mailboxHashes: [],
    fullName: null,
    passwordHash: await passwordHash,
    isAdmin: false,
    createdAt: Date.now(),
  })
  if (row === null) throw new Error('The email address is already in use.')
  await settleAccount(deps, row.id)
  const { access_token } = await beginSession(deps, toCallerAccount(row), row, NO_CLIENT)
  return { id: row.id, email, password: PASSWORD, token: access_token }
}

/** Creates an API key. */
export async function makeKey({ call }: TestContext, { token }: Person) {
  const answer = await call('POST', '/api/v1/tokens', { token, body: { name: 'tests' } })
  expect(answer.status).toBe(201)
  return { id: Number(answer.json.id), key: String(answer.json.plaintext) }
}

export async function giveCredits(
  { deps }: TestContext,
  { id }: Person,
  amount: number,
  { kind = 'purchase' as GrantKind, expires_at = null as number | null } = {},
): Promise<void> {
  await changeCredits(deps, id, {
    load: async () => ({ loaded: await loadCredits(deps.db, id) }),
    decide: (_facts, settled) => ({
      change: grant(settled, { kind, amount, expires_at, cause: `test:${crypto.randomUUID()}` }),
      answer: null,
    }),
  })
}

/** A submission that passes every check. Its input is a public URL. */
export const SUBMISSION = {
  service_slug: 'video',
  operation_key: 'compress',
  params: { file_url: 'https://media.example.org/clip.mp4' },
}

/**
 * Submits a job. The request must be accepted.
 * @returns the job's id
 */
export async function submit({ call }: TestContext, { token }: Person): Promise<string> {
  const answer = await call('POST', '/api/v1/jobs', { token, body: SUBMISSION })
  expect(answer.status, answer.text).toBe(201)
  return answer.json.id
}

export async function showJob({ call }: TestContext, { token }: Person, id: string) {
  return (await call('GET', `/api/v1/jobs/${id}`, { token })).json
}

/** Reads an account's ledger, the result of its consistency check, and the balance. */
export async function ledgerOf({ call }: TestContext, { token }: Person) {
  const entries = (await call('GET', '/api/v1/billing/ledger?limit=500', { token })).json
  const check = (await call('GET', '/api/v1/billing/ledger/verify', { token })).json
  return { entries, check, balance: check.balance as number }
}

/** Presigns an upload and stores the file, as a PUT to the presigned URL would. */
export async function upload(
  { call, deps }: TestContext,
  person: Person | null,
  file: { filename: string; content_type: string; bytes: Uint8Array },
  headers: Record<string, string> = {},
): Promise<{ url: string; key: string }> {
  const { filename, content_type, bytes } = file
  const answer = await call('POST', '/api/v1/uploads/presign', {
    ...(person === null ? {} : { token: person.token }),
    body: { filename, content_type, size_bytes: bytes.length },
    headers,
  })
  expect(answer.status, answer.text).toBe(201)
  await deps.storage.put(answer.json.key, new Blob([bytes]), content_type)
  return { url: answer.json.url, key: answer.json.key }
}

export function fileUrl(key: string): string {
  return `${publicUrl()}/files/${key}`
}
