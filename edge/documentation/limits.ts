import { BATCH_FILES_MAX } from '../batches/schemas.ts'
import { settingsFrom } from '../settings/rules/settings.ts'
import { PROXIED_BYTES_MAX } from '../uploads/rules/limits.ts'

const MIB = 1024 * 1024

/** Describes the limits that apply to many endpoints, for the description of the API. Contract: Limits. */
export function describeLimits(): string {
  const settings = settingsFrom({})
  return [
    '## Limits',
    'Administrators can change the numbers below; `GET /api/v1/public/config` and the `RateLimit-Policy` header ' +
      'contain the current ones.',
    [
      '| | without an account | free | paid |',
      '| --- | --- | --- | --- |',
      `| requests per minute | ${settings.requests_per_minute_anonymous} | ${settings.requests_per_minute_free} | ${settings.requests_per_minute_paid} |`,
      `| open jobs | ${settings.in_flight_max_anonymous} | ${settings.in_flight_max_free} | ${settings.in_flight_max_paid} |`,
    ].join('\n'),
    `A JSON body is limited to 1 MiB, a form with a file to ${PROXIED_BYTES_MAX / MIB} MiB, and a batch to ` +
      `${BATCH_FILES_MAX} files. Larger files are uploaded directly to storage. Lists have a \`limit\` whose bounds ` +
      'are part of its schema. A request over a limit returns 429 with `Retry-After`.',
  ].join('\n\n')
}
