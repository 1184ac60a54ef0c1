import { formatCursor, type NextPage, type Page } from '../platform/rules/paging.ts'

/**
 * Answers with the rows of a page and a `Link` header (RFC 8288) to the first page and, unless this is the last one,
 * to the next. Both repeat the filters of the request. Contract: Limits, Paging.
 * @param address the URL of the request.
 */
export function answerPage({ rows, next }: Page<unknown>, address: string): Response {
  const links = [linkTo(address, null, 'first'), ...(next === null ? [] : [linkTo(address, next, 'next')])]
  return Response.json(rows, { headers: { Link: links.join(', ') } })
}

function linkTo(address: string, place: NextPage | null, relation: string): string {
  const { pathname, searchParams: query } = new URL(address)
  query.delete('cursor')
  query.delete('offset')
  if (place !== null) query.set('cursor', formatCursor(place.cursor))
  if (place !== null && place.offset > 0) query.set('offset', String(place.offset))
  return `<${pathname}${query.size > 0 ? `?${query}` : ''}>; rel="${relation}"`
}
