import { escapeCell } from '../docs/parameters.ts'
import { type ApiDocument, type Endpoint, listEndpoints } from './api-document.ts'
import { addressOfPage, type SitePage } from './page.ts'
import { fieldsTable, typeText } from './schema-table.ts'

/** Tags whose endpoints are for administrators. The sidebar lists them in a section of their own. */
const ADMINISTRATION = /administration/i

/** Returns a page for each tag of the OpenAPI document. */
export function endpointPages(document: ApiDocument): { own: SitePage[]; administration: SitePage[] } {
  const pages = document.tags.map(({ name, description }) => ({
    name,
    page: tagPage(document, name, description),
  }))
  const select = (isAdministration: boolean) =>
    pages.filter(({ name }) => ADMINISTRATION.test(name) === isAdministration).map(({ page }) => page)
  return { own: select(false), administration: select(true) }
}

/** Returns the page that lists every endpoint. */
export function endpointsOverview(document: ApiDocument, pages: readonly SitePage[]): SitePage {
  const sections = pages.map((page) => {
    const rows = listEndpoints(document, page.title).map(
      (endpoint) =>
        `| \`${endpoint.method} ${endpoint.path}\` | [${endpoint.summary}](${addressOfPage(page)}#${anchorOf(endpoint)}) |`,
    )
    return [
      `## ${page.title}`,
      page.description,
      ['| Endpoint | Purpose |', '| --- | --- |', ...rows].join('\n'),
    ]
  })
  return {
    path: 'endpoints',
    title: 'All endpoints',
    description: 'Every endpoint of the API by topic.',
    body: ['Programs read the [OpenAPI document](/openapi.json).', ...sections.flat()].join('\n\n'),
  }
}

function tagPage(document: ApiDocument, title: string, description: string): SitePage {
  const sections = listEndpoints(document, title).map((endpoint) => endpointSection(document, endpoint))
  return {
    path: `endpoints/${title.toLowerCase().replaceAll(' ', '-')}`,
    title,
    description,
    body: [description, ...sections].join('\n\n'),
  }
}

/** Returns the anchor that the site generator derives from the heading. */
function anchorOf({ summary }: Endpoint): string {
  return summary
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')
}

function endpointSection(document: ApiDocument, endpoint: Endpoint): string {
  const { method, path, summary, description } = endpoint
  const repeated = `${summary}. `
  return [
    `## ${summary}`,
    `\`${method} ${path}\``,
    description.startsWith(repeated) ? description.slice(repeated.length) : description,
    ...parametersText(endpoint, document),
    ...requestText(endpoint, document),
    ...responseText(endpoint, document),
    errorsText(endpoint),
  ].join('\n\n')
}

function parametersText({ parameters }: Endpoint, { components }: ApiDocument): string[] {
  if (parameters.length === 0) return []
  const rows = parameters.map(({ name, in: place, required, schema, description }) => {
    const type = `${typeText(schema, components.schemas)}${required ? ', required' : ''}`
    return `| \`${name}\` (${place}) | ${type} | ${escapeCell(description ?? schema.description ?? '')} |`
  })
  return [['| Parameter | Type | Meaning |', '| --- | --- | --- |', ...rows].join('\n')]
}

function requestText({ requestBody }: Endpoint, { components }: ApiDocument): string[] {
  const entries = Object.entries(requestBody?.content ?? {})
  return entries.flatMap(([content_type, { schema }]) => {
    const table = schema && fieldsTable(schema, components.schemas, true)
    return [`**Request body** (\`${content_type}\`)`, ...(table ? [table] : [])]
  })
}

function responseText({ responses }: Endpoint, { components }: ApiDocument): string[] {
  return successes(responses).flatMap(([status, { description, content }]) => {
    const schema = content?.['application/json']?.schema
    const isList = schema?.type === 'array'
    const shown = isList ? schema.items : schema
    const table = shown ? fieldsTable(shown, components.schemas, false) : null
    const text = `${status}: ${description}.${isList ? ' An array of objects:' : ''}`
    return [`**Response** ${text}`, ...(table ? [table] : [])]
  })
}

/** Lists the codes of each error status. The page of errors has an example of each. */
function errorsText({ responses }: Endpoint): string {
  const failures = Object.entries(responses).filter(([status]) => Number(status) >= 400)
  if (failures.length === 0) return ''
  const rows = failures.map(([status, response]) => `| ${status} | ${escapeCell(codesText(response))} |`)
  return ['**Errors**', ['| Status | Codes |', '| --- | --- |', ...rows].join('\n')].join('\n\n')
}

function codesText({ description, content }: Endpoint['responses'][string]): string {
  const codes = Object.keys(content?.['application/json']?.examples ?? {})
  if (codes.length === 0) return description
  return codes.map((code) => `[\`${code}\`](/docs/errors#${code})`).join(', ')
}

function successes<Response>(responses: Record<string, Response>): [string, Response][] {
  return Object.entries(responses).filter(([status]) => Number(status) < 400)
}
