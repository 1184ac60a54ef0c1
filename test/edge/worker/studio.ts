import { expect } from 'vitest'
import type { Outcome } from '../../../shared/protocol/job-report.ts'
import type { ResponseBody } from './answers.ts'
import type { TestContext } from './context.ts'
import type { Person } from './people.ts'

export const COMPRESS = { service_slug: 'video', operation_key: 'compress' }

/** Public URLs that pass every check. */
export function publicFiles(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `https://media.example.org/clip-${index}.mp4`)
}

export type BatchBody = ResponseBody<'POST', '/api/v1/studio/batch'>

/** Submits a batch. The request must be accepted. */
export async function submitBatch(
  { call }: TestContext,
  person: Person | null,
  count: number,
): Promise<BatchBody> {
  const answer = await call('POST', '/api/v1/studio/batch', {
    ...(person === null ? {} : { token: person.token }),
    body: { ...COMPRESS, file_urls: publicFiles(count) },
  })
  expect(answer.status, answer.text).toBe(201)
  return answer.json
}

export async function showBatch(
  { call }: TestContext,
  person: Person | null,
  id: string,
): Promise<BatchBody> {
  const options = person === null ? {} : { token: person.token }
  return (await call('GET', `/api/v1/studio/batches/${id}`, options)).json
}

export const OVER_LONG: Outcome = {
  status: 'failed',
  processing_seconds: 1,
  error: 'the input is 45 minutes long; the free tier takes 30 minutes',
  error_code: 'input_too_long',
}
