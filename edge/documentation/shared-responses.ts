import { mapValues } from '../platform/map-values.ts'

type Responses = Record<string, object>
type Paths = Record<string, Record<string, { responses: Responses }>>

/** Names of the errors that most endpoints share, by status. */
const NAMES: Record<string, string> = {
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  409: 'Conflict',
  413: 'ContentTooLarge',
  415: 'UnsupportedMediaType',
  422: 'UnprocessableContent',
  429: 'TooManyRequests',
  503: 'ServiceUnavailable',
}

/**
 * Moves the most common response of each error status to the components, because repeating it in every endpoint would
 * double the size of the document.
 */
export function shareResponses<Shared extends Paths>(paths: Shared): { paths: Shared; responses: Responses } {
  const common = mapValues(NAMES, (_, status) => mostCommon(paths, status))
  const shared = mapValues(paths, (endpoints) =>
    mapValues(endpoints, ({ responses, ...endpoint }) => ({
      ...endpoint,
      responses: mapValues(responses, (response, status) =>
        JSON.stringify(response) === common[status]
          ? { $ref: `#/components/responses/${NAMES[status]}` }
          : response,
      ),
    })),
  )
  const named = Object.entries(common).flatMap(([status, text]) =>
    text === undefined ? [] : [[NAMES[status], JSON.parse(text)]],
  )
  return { paths: shared as Shared, responses: Object.fromEntries(named) }
}

/** Returns the most common response as JSON; undefined if no two endpoints share one. */
function mostCommon(paths: Paths, status: string): string | undefined {
  const counts = new Map<string, number>()
  for (const endpoint of Object.values(paths).flatMap((endpoints) => Object.values(endpoints))) {
    const response = endpoint.responses[status]
    if (response === undefined) continue
    const text = JSON.stringify(response)
    counts.set(text, (counts.get(text) ?? 0) + 1)
  }
  const [first] = [...counts].sort(([, one], [, other]) => other - one)
  return first !== undefined && first[1] > 1 ? first[0] : undefined
}
