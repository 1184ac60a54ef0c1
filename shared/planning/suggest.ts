import { distance } from 'fastest-levenshtein'

/** Maps field names from other APIs to the names used here. */
const SYNONYMS = new Map<string, readonly string[]>([
  ['url', ['file_url']],
  ['file', ['file_url']],
  ['input', ['file_url']],
  ['operation', ['operation_key']],
  ['service', ['service_slug']],
  ['parameters', ['params']],
  ['options', ['params']],
  ['callback_url', ['webhook_url']],
  ['type', ['content_type', 'format']],
  ['mime_type', ['content_type']],
  ['name', ['filename', 'full_name']],
  ['w', ['width']],
  ['h', ['height']],
  ['from', ['start']],
  ['to', ['end']],
])

/** Longer names are not compared: the cost grows with the square of the length. */
const LENGTH_MAX = 64
/** A distance up to this is always close enough. For long names, so is this share of the length. */
const DISTANCE_MIN = 2
const DISTANCE_SHARE = 1 / 3

/**
 * Returns the known name that a misspelled name most likely means, or undefined. Ignores case and separators, so
 * `fileUrl` finds `file_url`, and a missing unit, so `duration` finds `duration_seconds`.
 */
export function suggestName(given: string, known: readonly string[]): string | undefined {
  if (given.length > LENGTH_MAX) return undefined
  const synonym = SYNONYMS.get(given.toLowerCase())?.find((name) => known.includes(name))
  if (synonym !== undefined) return synonym
  const [longer, ...others] = known.filter((name) => name.startsWith(`${given.toLowerCase()}_`))
  if (longer !== undefined && others.length === 0) return longer
  const normalized = normalize(given)
  const [nearest] = known
    .map((name) => ({ name, edits: distance(normalized, normalize(name)) }))
    .sort((one, other) => one.edits - other.edits)
  if (nearest === undefined) return undefined
  const edits_max = Math.min(
    Math.max(DISTANCE_MIN, Math.floor(given.length * DISTANCE_SHARE)),
    // At least half of a short name must be unchanged.
    Math.floor(nearest.name.length / 2),
  )
  return nearest.edits <= edits_max ? nearest.name : undefined
}

function normalize(name: string): string {
  return name.toLowerCase().replaceAll(/[_\s-]/g, '')
}
