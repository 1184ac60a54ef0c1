import type { ErrorEntry } from '../../edge/platform/errors/rules/entry.ts'
import { FIELD_FAULTS } from '../../edge/platform/errors/rules/field-faults.ts'
import { ERROR_AREAS, type ErrorCode, exampleOf } from '../../edge/platform/errors/rules/table.ts'

/** Returns the content of docs/errors.md. */
export function errorsPage(): string {
  const sections = ERROR_AREAS.map(([title, errors]) => `## ${title}\n\n${listOf(errors)}`)
  return `${[HEADER, INTRODUCTION, ...sections, FIELD_FAULT_LIST].join('\n\n')}\n`
}

function listOf(errors: Record<string, ErrorEntry>): string {
  return Object.entries(errors)
    .map(([code, { status }]) => {
      const { detail, help } = exampleOf(code as ErrorCode)
      return `- \`${code}\` (${status}): “${detail}”\n  ${help}`
    })
    .join('\n')
}

const HEADER = `<!-- Generated from edge/platform/errors/rules by npm run docs. -->
# Errors`

/** Text about the parts that all error responses share. */
export const INTRODUCTION = `Every error response has the body \`{"detail": …, "code": …, "help": …, "doc_url": …, "request_id": …}\`. Compare
\`code\`, which is stable; show \`detail\`, whose wording may change. \`param\` is added if one input field is at fault. \`detail\` is a string, with these exceptions:

- \`validation_failed\`: an array of \`{"loc", "msg", "type"}\`, one for each invalid field. \`type\` is stable.
- States of orders, refunds and maintenance: an object \`{"code", "message"}\` with the same code.

Errors with status 429 and 503 have a \`Retry-After\` header, in seconds, if the time is known.

\`Accept-Language\` selects the language of \`detail\` and \`help\`: English (\`en\`), Ukrainian (\`uk\`) or Russian (\`ru\`).

Each entry below has the code, the status, an example of \`detail\`, and what to do. Numbers and names are examples.`

/** The values of `type` in the body of `validation_failed`. */
export const FIELD_FAULT_LIST = `## Invalid fields

Besides the codes of the schema (such as \`invalid_type\` and \`too_big\`), \`type\` has these values:

${Object.keys(FIELD_FAULTS)
  .map((code) => `- \`${code}\``)
  .join('\n')}`
