import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { type CallOptions, makeTestContext } from './context.ts'
import { makeKey, type Person, register } from './people.ts'

export const testContext = makeTestContext()

/** What the mistakes use; set before the tests. */
export const known = { person: {} as Person, key: '', paused: '', put_url: '' }

async function openCredentials(): Promise<void> {
  const person = await register(testContext)
  const { key } = await makeKey(testContext, person)
  const other = await makeKey(testContext, person)
  await testContext.call('POST', `/api/v1/tokens/${other.id}/toggle`, { token: person.token })
  const body = { filename: 'a.mp4', content_type: 'video/mp4', size_bytes: 1000 }
  const { json } = await testContext.call('POST', '/api/v1/uploads/presign', { key, body })
  Object.assign(known, { person, key, paused: other.key, put_url: json.put_url })
}

export const FILE = 'https://example.org/a.mp4'
export const COMPRESS = { service_slug: 'video', operation_key: 'compress' }
export const SUBMIT = 'POST /api/v1/jobs/api'
export const PRESIGN = 'POST /api/v1/uploads/presign'
export const PING = 'GET /api/v1/me/ping'
export const JOBS = '/api/v1/jobs'

export const submission = (body: object): CallOptions => ({ key: known.key, body: { ...COMPRESS, ...body } })
export const withParams = (params: unknown) => submission({ params })
export const presigning = (changed: object): CallOptions => ({
  key: known.key,
  body: { filename: 'a.mp4', content_type: 'video/mp4', size_bytes: 1000, ...changed },
})

export const withOperations = (operations: object[]) => withParams({ file_url: FILE, operations })
export const template = (operations: object[]): CallOptions => ({
  key: known.key,
  body: { service_slug: 'video', operations },
})

export function formOf(field: string, value: File | string): FormData {
  const form = new FormData()
  form.append(field, value)
  return form
}

export function submissionForm(fields: Record<string, string>): FormData {
  const form = formOf('file', new File(['x'], 'a.mp4', { type: 'video/mp4' }))
  for (const [name, value] of Object.entries({ ...COMPRESS, ...fields })) form.append(name, value)
  return form
}

export interface Mistake {
  request: string
  options: () => CallOptions
  answer: [status: number, code: string, param?: string]
  /** Must match `detail` or `help`. */
  remedy: RegExp
}

const Refusal = z.object({
  code: z.string(),
  param: z.string().optional(),
  detail: z.unknown(),
  help: z.string(),
  doc_url: z.url(),
})

/** Tests that each mistake is answered with its remedy. */
export function testRemedies(mistakes: Record<string, Mistake>): void {
  beforeAll(openCredentials)
  test.each(Object.entries(mistakes))('%s is answered with the remedy', async (_what, mistake) => {
    const [method = '', path = ''] = mistake.request.split(' ')
    const { status, text } = await testContext.call(method, path, mistake.options())
    const { code, param, detail, help, doc_url } = Refusal.parse(JSON.parse(text))
    expect([status, code, param]).toEqual([mistake.answer[0], mistake.answer[1], mistake.answer[2]])
    expect(JSON.stringify(detail) + help).toMatch(mistake.remedy)
    expect(doc_url).toBe(`${testContext.deps.env.PUBLIC_URL}/docs/errors#${code}`)
    expect(text).not.toContain('hunter2')
  })
}
