import { errorExample } from '../../edge/platform/errors/example.ts'
import type { ErrorEntry } from '../../edge/platform/errors/rules/entry.ts'
import { ERROR_AREAS, type ErrorCode, exampleOf } from '../../edge/platform/errors/rules/table.ts'
import { FIELD_FAULT_LIST, INTRODUCTION } from '../docs/errors-page.ts'
import type { SitePage } from './page.ts'

/** Returns the page that an error's `doc_url` points to. Each code is a heading, so it is also an anchor. */
export function siteErrorsPage(): SitePage {
  return {
    path: 'errors',
    title: 'Errors',
    label: 'Error codes',
    description: 'Every error code with its status, an example, and what to do.',
    body: [
      INTRODUCTION,
      ...ERROR_AREAS.flatMap(([title, errors]) => [`## ${title}`, ...Object.entries(errors).map(entryText)]),
      FIELD_FAULT_LIST,
    ].join('\n\n'),
  }
}

function entryText([code, { status }]: [string, ErrorEntry]): string {
  const { help } = exampleOf(code as ErrorCode)
  const body = JSON.stringify(errorExample(code as ErrorCode).value, null, 2)
  return [`### ${code}`, `Status ${status}. ${help}`, `\`\`\`json\n${body}\n\`\`\``].join('\n\n')
}
