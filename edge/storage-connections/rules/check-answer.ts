import { readS3ErrorCode } from '../../../shared/s3-error-code.ts'

/** Problems of a connection. Contract: Storage connections, Check. */
export const CONNECTION_PROBLEMS = [
  'not_public',
  'unreachable',
  'redirected',
  'wrong_access_key',
  'wrong_secret',
  'wrong_region',
  'missing_bucket',
  'access_denied',
  'refused',
] as const
export type ConnectionProblem = (typeof CONNECTION_PROBLEMS)[number]

/** Messages with one sentence for the problem and one for the fix. */
export const PROBLEM_MESSAGES: Record<ConnectionProblem, string> = {
  not_public: 'The endpoint does not lead to a public address. Use the public endpoint of the storage.',
  unreachable: 'The endpoint did not respond. Check the endpoint and that the storage is online.',
  redirected: 'The endpoint redirects to another address. Use the endpoint of the region of the bucket.',
  wrong_access_key: 'The storage does not know the access key id. Check access_key_id.',
  wrong_secret: 'The storage refused the signature. Check secret_access_key.',
  wrong_region: 'The bucket is in another region. Check region and endpoint.',
  missing_bucket: 'The bucket does not exist. Check bucket.',
  access_denied: 'The access key may not list the bucket. Allow it to list, read and write in the folder.',
  refused: 'The storage refused the request. Check the endpoint and the bucket.',
}

const CODES: Record<string, ConnectionProblem> = {
  InvalidAccessKeyId: 'wrong_access_key',
  Unauthorized: 'wrong_access_key',
  SignatureDoesNotMatch: 'wrong_secret',
  AuthorizationHeaderMalformed: 'wrong_region',
  AuthorizationQueryParametersError: 'wrong_region',
  InvalidRegionName: 'wrong_region',
  PermanentRedirect: 'wrong_region',
  NoSuchBucket: 'missing_bucket',
  AccessDenied: 'access_denied',
  AllAccessDisabled: 'access_denied',
}

/** Returns the problem that the storage's response to a bucket listing shows, or null if there is none. */
export function judgeCheck(status: number, body: string): ConnectionProblem | null {
  if (status === 200) return null
  const known = CODES[readS3ErrorCode(body) ?? '']
  if (known !== undefined) return known
  if (status >= 300 && status < 400) return 'redirected'
  return status === 404 ? 'missing_bucket' : status === 401 || status === 403 ? 'access_denied' : 'refused'
}
