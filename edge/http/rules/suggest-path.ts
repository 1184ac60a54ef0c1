import { distance } from 'fastest-levenshtein'

const EDITS_MAX = 2
/** Two thirds of a segment must be unchanged: after two edits, a segment of two characters is another word. */
const CHARACTERS_PER_EDIT = 3
/** Longer paths are not compared: the cost grows with the square of the length. */
const LENGTH_MAX = 200

/** Beginnings of paths that lack /api, the version, or both, or that have another version. */
const PREFIX = /^(\/api)?(\/v\d+)?(?=\/)/

/**
 * Finds the endpoint whose path a misspelled path most likely means. Values of path parameters are not compared.
 * @param endpoints paths as the router has them, such as /api/v1/jobs/:job_id
 * @returns its path, such as /api/v1/jobs/{job_id}; undefined if none is close
 */
export function suggestPath(path: string, endpoints: Iterable<string>): string | undefined {
  if (path.length > LENGTH_MAX) return undefined
  const written = [path, path.replace(PREFIX, '/api/v1')].map((each) => each.split('/'))
  const [nearest] = [...endpoints]
    .map((endpoint) => ({
      endpoint,
      edits: Math.min(...written.map((given) => countEdits(given, endpoint.split('/')))),
    }))
    .sort((one, other) => one.edits - other.edits)
  if (nearest === undefined || nearest.edits > EDITS_MAX) return undefined
  return nearest.endpoint.replace(/:(\w+)(\{[^/]*\})?/g, '{$1}')
}

function countEdits(given: readonly string[], wanted: readonly string[]): number {
  if (given.length !== wanted.length) return Number.POSITIVE_INFINITY
  return wanted.reduce((edits, segment, index) => edits + segmentEdits(given[index] ?? '', segment), 0)
}

function segmentEdits(given: string, wanted: string): number {
  if (wanted.startsWith(':')) return 0
  const edits = distance(given, wanted)
  return edits > Math.floor(wanted.length / CHARACTERS_PER_EDIT) ? Number.POSITIVE_INFINITY : edits
}
