import { z } from 'zod'
import { settingsFrom } from '../../edge/settings/rules/settings.ts'
import { OPERATIONS } from '../../shared/operations/index.ts'
import type { Operation } from '../../shared/planning/operation.ts'
import { firstSentence } from '../docs/first-sentence.ts'
import { addressOf, factsList, presetsList } from '../docs/operation-section.ts'
import { parametersTable } from '../docs/parameters.ts'
import { SchemaShape } from './api-document.ts'
import { comparison } from './comparison.ts'
import { type Example, exampleOf } from './operation-examples.ts'
import type { SitePage } from './page.ts'
import { fieldsTable } from './schema-table.ts'
import { fence, operationSnippets } from './snippets.ts'

/** Returns an operation's page: what it does, an example, its parameters, presets, price and result. */
export function operationPage(operation: Operation): SitePage {
  const { title, description, parameters } = operation
  const example = exampleOf(operation)
  return {
    path: pathOf(operation),
    title,
    label: title,
    description: firstSentence(description)[0],
    body: [
      description,
      ...(example === null ? [] : [comparison(example)]),
      factsList(operation),
      `- ${priceLine()}`,
      '## Parameters',
      parametersTable(parameters),
      ...presetsList(operation),
      '## Example',
      ...operationSnippets(operation),
      'With curl, the response is the [job](/docs/endpoints/jobs): [wait for its end](/docs/guides/waiting), then download `result.url`. The [client](/docs/guides/typescript) and the [command line](/docs/guides/command-line) upload files of any size, wait, and download.',
      '## Result',
      RESULT,
      ...bodyTable(operation),
      ...bodyExample(example),
      ...relatedLinks(operation),
    ].join('\n\n'),
  }
}

export function pathOf({ service, key }: Operation): string {
  return `operations/${service}/${key}`
}

/** Describes the price that is charged, which is the same for every operation. */
export function priceLine(): string {
  const {
    time_tariff_base_credits: base,
    time_tariff_per_extra_minute_credits: extra,
    time_tariff_max_credits: max,
  } = settingsFrom({})
  return `Price: ${base} credits for up to a minute of processing, ${extra} more for each further started minute, at most ${max}. A job that fails or is canceled is [refunded in full](/docs/guides/billing).`
}

const RESULT =
  '`result` of a finished job has `url`, `filename`, `content_type`, `size_bytes`, `sha256` and `expires_at`. `result.body` has what was measured:'

function bodyTable({ result_body }: Operation): string[] {
  const schema = SchemaShape.parse(z.toJSONSchema(result_body, { io: 'output', unrepresentable: 'any' }))
  const table = fieldsTable(schema, {}, false)
  return table === null ? [] : [table]
}

function bodyExample(example: Example | null): string[] {
  return example === null
    ? []
    : [fence('json', 'result.body of the example above', JSON.stringify(example.body, null, 2))]
}

function relatedLinks(operation: Operation): string[] {
  const related = OPERATIONS.filter(
    (other) => other !== operation && other.family !== null && other.family === operation.family,
  )
  if (related.length === 0) return []
  const links = related.map((other) => `[${other.title}](/docs/${pathOf(other)}) (\`${addressOf(other)}\`)`)
  return ['## Related', `The same for other files: ${links.join(', ')}.`]
}
