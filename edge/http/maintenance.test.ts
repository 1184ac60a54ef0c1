import { describe, expect, test } from 'vitest'
import { makeTestContext } from '../../test/edge/worker/context.ts'
import { freshAddress, makeLimitedContext } from '../../test/edge/worker/limited-context.ts'
import { ledgerOf, register, SUBMISSION } from '../../test/edge/worker/people.ts'

/** Matches every existing submission endpoint. Contract: Errors, Maintenance. */
const SUBMITTING =
  /^\/api\/v1\/(jobs(\/api|\/upload|\/\{job_id\}\/repeat)?|studio\/(run|batch|batches\/\{batch_id\}\/repeat)|upload-sessions(\/api)?)$/

interface Described {
  paths: Record<
    string,
    { post?: { security?: object[]; responses: Record<string, { description: string }> } }
  >
}

async function listSubmitting(): Promise<string[]> {
  const { paths }: Described = JSON.parse((await makeTestContext().call('GET', '/openapi.json')).text)
  return Object.entries(paths).flatMap(([path, { post }]) =>
    post !== undefined && SUBMITTING.test(path) ? [path] : [],
  )
}

describe('during maintenance', () => {
  test('every submission endpoint responds 503 with its code before it reads the body', async () => {
    const testContext = await makeLimitedContext({ maintenance: true, maintenance_message: 'Back at noon.' })
    const { token } = await register(testContext)
    const paths = await listSubmitting()
    expect(paths).toEqual(
      expect.arrayContaining([
        ...['/api/v1/jobs', '/api/v1/jobs/api', '/api/v1/jobs/upload'],
        '/api/v1/jobs/{job_id}/repeat',
      ]),
    )
    for (const path of paths) {
      const answer = await testContext.call('POST', path.replace(/\{\w+\}/, '1'), { token })
      expect([path, answer.status, answer.json]).toMatchObject([
        path,
        503,
        { code: 'maintenance', detail: { code: 'maintenance', message: 'Back at noon.' } },
      ])
      expect([answer.headers.get('retry-after'), JSON.parse(answer.text).request_id]).toEqual([
        '60',
        answer.headers.get('x-request-id'),
      ])
    }
  })

  test('nothing is charged, and reads work', async () => {
    const testContext = await makeLimitedContext({ maintenance: true })
    const person = await register(testContext)
    const headers = { 'cf-connecting-ip': freshAddress() }
    const answer = await testContext.call('POST', '/api/v1/jobs', { token: person.token, body: SUBMISSION })
    expect(answer.json.detail).toEqual({ code: 'maintenance', message: expect.stringMatching(/later/) })
    expect((await ledgerOf(testContext, person)).balance).toBe(20)
    for (const path of [
      'jobs',
      'studio/tools',
      'me/ping',
      'billing/balance',
      'stats/usage',
      'public/config',
    ]) {
      expect(
        (await testContext.call('GET', `/api/v1/${path}`, { token: person.token, headers })).status,
        path,
      ).toBe(200)
    }
    const quote = { token: person.token, body: SUBMISSION }
    expect((await testContext.call('POST', '/api/v1/jobs/quote', quote)).status).toBe(200)
  })

  test('missing credentials are reported first', async () => {
    const testContext = await makeLimitedContext({ maintenance: true })
    const headers = { 'cf-connecting-ip': freshAddress() }
    expect((await testContext.call('POST', '/api/v1/jobs', { body: SUBMISSION, headers })).status).toBe(401)
  })
})

test('the OpenAPI document describes maintenance on exactly the submission endpoints', async () => {
  const { paths }: Described = JSON.parse((await makeTestContext().call('GET', '/openapi.json')).text)
  const submitting = await listSubmitting()
  for (const path of submitting) {
    expect(paths[path]?.post?.responses['503']?.description, path).toMatch(/maintenance/i)
  }
})
