import { ACCOUNT_ERRORS } from '../../edge/platform/errors/rules/accounts.ts'
import { ADMINISTRATION_ERRORS } from '../../edge/platform/errors/rules/administration.ts'
import type { ErrorEntry } from '../../edge/platform/errors/rules/entry.ts'
import { FIELD_FAULTS } from '../../edge/platform/errors/rules/field-faults.ts'
import { JOB_ERRORS } from '../../edge/platform/errors/rules/jobs.ts'
import { MONEY_ERRORS } from '../../edge/platform/errors/rules/money.ts'
import { REQUEST_ERRORS } from '../../edge/platform/errors/rules/requests.ts'
import { SERVICE_ERRORS } from '../../edge/platform/errors/rules/services.ts'
import { type ErrorCode, exampleSentence } from '../../edge/platform/errors/rules/table.ts'
import { UPLOAD_ERRORS } from '../../edge/platform/errors/rules/uploads.ts'

const AREAS: readonly [string, Record<string, ErrorEntry>][] = [
  ['All endpoints', REQUEST_ERRORS],
  ['Accounts', ACCOUNT_ERRORS],
  ['Jobs', JOB_ERRORS],
  ['Uploads', UPLOAD_ERRORS],
  ['Orders and refunds', MONEY_ERRORS],
  ['Other services', SERVICE_ERRORS],
  ['Administration', ADMINISTRATION_ERRORS],
]

/** Returns the content of docs/errors.md. */
export function errorsPage(): string {
  const sections = AREAS.map(([title, errors]) => `## ${title}\n\n${listOf(errors)}`)
  return `${[INTRODUCTION, ...sections, FAULTS].join('\n\n')}\n`
}

function listOf(errors: Record<string, ErrorEntry>): string {
  return Object.entries(errors)
    .map(
      ([code, { status, help }]) =>
        `- \`${code}\` (${status}): “${exampleSentence(code as ErrorCode)}”\n  ${help}`,
    )
    .join('\n')
}

const INTRODUCTION = `<!-- Generated from edge/platform/errors/rules by npm run docs. -->
# Errors

Every error response has the body \`{"detail": …, "code": …, "request_id": …}\`. Compare \`code\`, which is stable; show
\`detail\`, whose wording may change. \`detail\` is a string, with these exceptions:

- \`validation_failed\`: an array of \`{"loc", "msg", "type"}\`, one for each invalid field. \`type\` is stable.
- States of orders, refunds and maintenance: an object \`{"code", "message"}\` with the same code.

Errors with status 429 and 503 have a \`Retry-After\` header, in seconds, if the time is known.

Each entry below has the code, the status, an example of \`detail\`, and what to do. Numbers and names are examples.`

const FAULTS = `## Invalid fields

Besides the codes of the schema (such as \`invalid_type\` and \`too_big\`), \`type\` has these values:

${Object.keys(FIELD_FAULTS)
  .map((code) => `- \`${code}\``)
  .join('\n')}`
