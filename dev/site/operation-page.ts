import { settingsFrom } from '../../edge/settings/rules/settings.ts'
import { OPERATIONS } from '../../shared/operations/index.ts'
import type { Operation } from '../../shared/planning/operation.ts'
import { firstSentence } from '../docs/first-sentence.ts'
import { addressOf, factsList, presetsList } from '../docs/operation-section.ts'
import { parametersTable } from '../docs/parameters.ts'
import { comparison } from './comparison.ts'
import { type Example, exampleOf } from './operation-examples.ts'
import type { SitePage } from './page.ts'
import { curlSnippet, fence } from './snippets.ts'

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
      fence('sh', 'curl', curlSnippet(operation)),
      'The response is the [job](/docs/endpoints/jobs). [Wait for its end](/docs/guides/waiting), then read `result.url`.',
      '## Result',
      resultText(example),
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

function resultText(example: Example | null): string {
  const general =
    '`result` holds `url`, `filename`, `content_type`, `size_bytes`, `sha256` and `expires_at`. `result.body` holds what was measured'
  if (example === null) return `${general}.`
  return `${general}. The example above returned:\n\n${fence('json', 'result.body', JSON.stringify(example.body, null, 2))}`
}

function relatedLinks(operation: Operation): string[] {
  const related = OPERATIONS.filter(
    (other) => other !== operation && other.family !== null && other.family === operation.family,
  )
  if (related.length === 0) return []
  const links = related.map((other) => `[${other.title}](/docs/${pathOf(other)}) (\`${addressOf(other)}\`)`)
  return ['## Related', `The same for other files: ${links.join(', ')}.`]
}
