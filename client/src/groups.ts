import { ENDPOINTS, type Endpoints } from '../generated/endpoints.ts'
import type { CallOptions } from './options.ts'
import { openPage, type Page, parseNextLink } from './page.ts'
import type { Call, Transport } from './transport.ts'

type Query = Record<string, unknown>

/** Creates the methods of a group of endpoints from the rows of the endpoint table. */
export function makeGroup<Name extends keyof Endpoints>(transport: Transport, name: Name): Endpoints[Name] {
  const methods = Object.entries<string>(ENDPOINTS[name]).map(([method, row]) => [
    method,
    (...values: unknown[]) => callEndpoint(transport, row, values),
  ])
  return Object.fromEntries(methods)
}

/** @param values the path parameters in order, then the body if there is one, then the options with the query */
function callEndpoint(transport: Transport, row: string, values: unknown[]): unknown {
  const [method = '', flags = '', template = ''] = row.split(' ')
  const rest = [...values]
  const path = template.replace(/\{\w+\}/g, () => encodeURIComponent(String(rest.shift())))
  const body = /[bf]/.test(flags) ? ((rest.shift() ?? {}) as Record<string, unknown>) : {}
  const { signal, idempotencyKey, ...query } = (rest.shift() ?? {}) as CallOptions & Query
  const call: Call = { method, path, isRepeatable: flags.includes('s'), signal }
  if (flags.includes('i')) call.idempotencyKey = idempotencyKey ?? crypto.randomUUID()
  if (flags.includes('p')) return listItems(transport, call, query)
  if (flags.includes('b')) call.json = body
  if (flags.includes('f')) call.form = toForm(body)
  if (flags.includes('q')) call.path = withQuery(path, query)
  return flags.includes('r') ? transport.send({ ...call, isStreamed: true }) : transport.request(call)
}

/** Fetches the next pages by their links if the service sends links, and by offset otherwise. */
function listItems(transport: Transport, call: Call, query: Query): Page<unknown> {
  let has_links = false
  return openPage(async (next) => {
    const path = next ?? withQuery(call.path, query)
    const response = await transport.send({ ...call, path })
    const items: unknown[] = await response.json()
    const links = response.headers.get('link')
    has_links ||= links !== null
    return { items, next: has_links ? pathOf(parseNextLink(links)) : nextOffset(path, items.length) }
  })
}

function pathOf(link: string | null): string | null {
  if (link === null) return null
  const { pathname, search } = new URL(link, 'http://localhost')
  return pathname + search
}

/** Returns the path of the next page, or null if this page had fewer items than its limit. */
function nextOffset(path: string, count: number): string | null {
  const [address = '', search] = path.split('?')
  const query = new URLSearchParams(search)
  if (count === 0 || count < Number(query.get('limit') ?? 0)) return null
  query.set('offset', String(Number(query.get('offset') ?? 0) + count))
  return `${address}?${query}`
}

function withQuery(path: string, query: Query): string {
  const entries = Object.entries(query).filter(([, value]) => value !== undefined && value !== null)
  if (entries.length === 0) return path
  return `${path}?${new URLSearchParams(entries.map(([key, value]) => [key, String(value)]))}`
}

function toForm(fields: Query): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    if (value instanceof Blob) form.append(name, value)
    else if (value !== undefined) form.append(name, String(value))
  }
  return form
}
