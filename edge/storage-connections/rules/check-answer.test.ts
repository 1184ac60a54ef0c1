import { expect, test } from 'vitest'
import { CONNECTION_PROBLEMS, judgeCheck, PROBLEM_MESSAGES } from './check-answer.ts'

const error = (code: string) => `<?xml version="1.0"?><Error><Code>${code}</Code><Message>x</Message></Error>`

test.each([
  [200, '<ListBucketResult/>', null],
  [403, error('SignatureDoesNotMatch'), 'wrong_secret'],
  [403, error('InvalidAccessKeyId'), 'wrong_access_key'],
  [404, error('NoSuchBucket'), 'missing_bucket'],
  [301, error('PermanentRedirect'), 'wrong_region'],
  [400, error('AuthorizationHeaderMalformed'), 'wrong_region'],
  [403, error('AccessDenied'), 'access_denied'],
  [302, '', 'redirected'],
  [403, 'Forbidden', 'access_denied'],
  [404, '', 'missing_bucket'],
  [500, error('InternalError'), 'refused'],
  [400, '<Code>1</Code>', 'refused'],
])('status %d with %j is %s', (status, body, problem) => {
  expect(judgeCheck(status, body)).toBe(problem)
})

test('every problem has a sentence of what is wrong and one of what to do', () => {
  for (const problem of CONNECTION_PROBLEMS)
    expect(PROBLEM_MESSAGES[problem]).toMatch(/^[A-Z].+\. [A-Z].+\.$/)
})
