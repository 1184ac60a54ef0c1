import { waitInWords } from '../../http/rules/wait.ts'
import { sizeInWords } from '../../rules/size-in-words.ts'
import { type ErrorEntry, type InputFault, type Wait, withFacts } from './entry.ts'

/** Errors that any endpoint can return. */
export const REQUEST_ERRORS = {
  missing_api_key: {
    status: 401,
    detail: 'missing API key',
    literal: true,
    help: 'Send the key in the X-Api-Key header, or as Authorization: Bearer.',
  },
  invalid_api_key: {
    status: 401,
    detail: 'invalid API key',
    literal: true,
    help: 'Check that the key is complete, enabled and not deleted.',
  },
  missing_bearer_token: {
    status: 401,
    detail: 'missing bearer token',
    literal: true,
    help: 'Sign in and send the access token as Authorization: Bearer; API keys do not work here.',
  },
  invalid_bearer_token: {
    status: 401,
    detail: 'invalid bearer token',
    literal: true,
    help: 'Sign in again: the token is unknown, has expired, or its session has ended.',
  },
  invalid_signature: {
    status: 401,
    detail: 'The signature is missing or invalid. Sign the exact body with the shared secret.',
    help: 'Check the secret and the timestamp, and sign the exact bytes of the body.',
  },
  administrator_required: {
    status: 403,
    detail: 'This action is for administrators only. Sign in as an administrator.',
    help: 'Sign in as an administrator.',
  },
  not_found: {
    status: 404,
    detail: 'There is no endpoint or page at this address. Check the path.',
    help: 'Compare the path with the API reference.',
  },
  method_not_allowed: withFacts({
    status: 405,
    detail: ({ method, allowed }: { method: string; allowed: readonly string[] }) =>
      `${method} is not allowed here. Use ${allowed.join(' or ')}.`,
    example: { method: 'PUT', allowed: ['GET', 'POST'] },
    help: 'Use a method from the Allow header.',
  }),
  body_too_large: withFacts({
    status: 413,
    detail: ({ bytes_max }: { bytes_max: number }) =>
      `The request body is larger than ${sizeInWords(bytes_max)}. Send files through an upload.`,
    example: { bytes_max: 1024 * 1024 },
    help: 'Shorten the body, and send files through an upload.',
  }),
  unsupported_media_type: {
    status: 415,
    detail: 'The body must be JSON. Send it with Content-Type: application/json.',
    help: 'Set the Content-Type header.',
  },
  validation_failed: withFacts({
    status: 422,
    shape: 'faults',
    detail: ({ faults }: { faults: readonly InputFault[] }) => faults.map(({ msg }) => msg).join(' '),
    example: {
      faults: [{ loc: ['body', 'email'], msg: 'The email address is invalid.', type: 'invalid_email' }],
    },
    help: 'Correct each field in detail: loc names the field, and msg says what is valid.',
  }),
  rate_limited: withFacts({
    status: 429,
    detail: ({ limit, name, retry_after_seconds }: { limit: number; name: string } & Wait) => {
      const counter = name === 'minute' ? 'per-minute' : 'per-day'
      const scope = name === 'key-day' ? ' with this API key' : ''
      return `You reached the ${counter} limit of ${limit} requests${scope}. Try again in ${waitInWords(retry_after_seconds)}.`
    },
    example: { limit: 60, name: 'minute', retry_after_seconds: 20 },
    help: 'Wait as long as Retry-After says; the RateLimit headers report what is left.',
  }),
  idempotency_request_running: {
    status: 409,
    detail: 'The first request with this Idempotency-Key is still running. Try again in a moment.',
    retry_after_seconds: 1,
    help: 'Repeat the request with the same key after Retry-After.',
  },
  idempotency_response_lost: {
    status: 409,
    detail:
      'The first request with this key succeeded, but its response can no longer be read. Use the matching list endpoint to find what it created.',
    help: 'Look the result up in the matching list endpoint.',
  },
  list_too_long: {
    status: 400,
    detail: 'The jobs on this page are too large for one response. Set a smaller limit.',
    help: 'Use a smaller limit.',
  },
  maintenance: withFacts({
    status: 503,
    shape: 'object',
    detail: ({ message }: { message: string }) => message,
    example: { message: 'Maintenance is in progress. Try again later.' },
    retry_after_seconds: 60,
    help: 'Try again later: reads keep working, and the public config announces maintenance.',
  }),
  database_unavailable: {
    status: 503,
    detail:
      'The database did not respond in time, so the request may or may not have taken effect. Try again with the same Idempotency-Key.',
    retry_after_seconds: 10,
    help: 'Repeat the request; an Idempotency-Key makes that safe.',
  },
  internal_error: {
    status: 500,
    detail: 'Something went wrong on our side. Try again, and quote request_id if it happens again.',
    help: 'Try again with exponential backoff, and send request_id to support.',
  },
} as const satisfies Record<string, ErrorEntry>
