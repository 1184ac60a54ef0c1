import type { z } from 'zod'
import { didYouMean } from './suggest.ts'

const SHOWN_CHARACTERS_MAX = 40

/**
 * Describes a validation issue, worded to follow a field name: "must be at most 51, not 52". This is a zod error
 * map. zod calls it only for schemas without a custom message; undefined keeps zod's message.
 */
export function issueMessage(issue: z.core.$ZodRawIssue): string | undefined {
  const must = requirementOf(issue)
  if (must === null) return undefined
  if (issue.input === undefined) return `is required; it must be ${must}`
  const shown = showValue(issue)
  return shown === null ? `must be ${must}` : `must be ${must}, not ${shown}`
}

/** Describes a validation issue as sentences: "Must be at most 51, not 52." Another error map, like issueMessage. */
export function issueSentence(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'unrecognized_keys') return describeUnknown(issue)
  const must = requirementOf(issue)
  if (must === null) return undefined
  if (issue.input === undefined) return `This field is required. It must be ${must}.`
  const shown = showValue(issue)
  return shown === null ? `Must be ${must}.` : `Must be ${must}, not ${shown}.`
}

/** Separates the sentences about several unknown fields, one for each of `keys`. */
export const UNKNOWN_SEPARATOR = '\n'
const LISTED_FIELDS_MAX = 12
/** More unknown fields of an object are not described: a body can hold 100,000 of them. */
export const UNKNOWN_FIELDS_MAX = 10

function describeUnknown({ keys, inst }: z.core.$ZodRawIssue<z.core.$ZodIssueUnrecognizedKeys>): string {
  const { shape = {} } = (inst?._zod.def ?? {}) as { shape?: Record<string, unknown> }
  const known = Object.keys(shape)
  return keys
    .slice(0, UNKNOWN_FIELDS_MAX)
    .map((key) => describeUnknownField(key, known))
    .join(UNKNOWN_SEPARATOR)
}

function describeUnknownField(key: string, known: readonly string[]): string {
  const suggestion = didYouMean(key, known)
  if (suggestion !== '') return `Unknown field.${suggestion}`
  // This is the most common mistake in submissions.
  if (known.includes('params')) return 'Unknown field. Parameters of the operation belong in params.'
  if (known.length === 0 || known.length > LISTED_FIELDS_MAX) return 'Unknown field. Remove it.'
  return `Unknown field. Use ${known.join(', ')}.`
}

/**
 * Quotes a rejected value. Returns null if it is long, or if it is a string of the wrong length or format, which
 * might be a password.
 */
function showValue(issue: z.core.$ZodRawIssue): string | null {
  const { input: value } = issue
  if (typeof value === 'number' && !Number.isFinite(value)) return null
  const isUrl = issue.code === 'invalid_format' && issue.format === 'url'
  const isPublic = isUrl || issue.code === 'invalid_type' || issue.code === 'invalid_value'
  if (typeof value === 'string' && !isPublic) return null
  const text = JSON.stringify(value)
  return text !== undefined && text.length <= SHOWN_CHARACTERS_MAX ? text : null
}

/** Returns the requirement, worded to follow "must be". */
function requirementOf(issue: z.core.$ZodRawIssue): string | null {
  switch (issue.code) {
    case 'invalid_type':
      return TYPE_NAMES[issue.expected] ?? `of type ${issue.expected}`
    case 'invalid_value':
      return issue.values.length === 1
        ? String(issue.values[0])
        : `one of ${issue.values.map(String).join(', ')}`
    case 'too_small':
      return `${issue.inclusive === false ? 'more than' : 'at least'} ${issue.minimum}${unitOf(issue.origin, issue.minimum)}`
    case 'too_big':
      return `${issue.inclusive === false ? 'less than' : 'at most'} ${issue.maximum}${unitOf(issue.origin, issue.maximum)}`
    case 'not_multiple_of':
      return `a multiple of ${issue.divisor}`
    case 'invalid_format':
      return FORMAT_NAMES[issue.format] ?? null
    default:
      return null
  }
}

const TYPE_NAMES: Partial<Record<string, string>> = {
  int: 'an integer',
  number: 'a number',
  string: 'a string',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
}

const FORMAT_NAMES: Partial<Record<string, string>> = {
  url: 'an http or https URL',
  uuid: 'a UUID',
  datetime: 'a date and time with an offset, such as 2026-01-31T12:00:00Z',
  date: 'a date, such as 2026-01-31',
  email: 'an email address',
}

/** Returns the unit of a bound: characters for a string, entries for an array, none for a number. */
function unitOf(origin: string, count: number | bigint): string {
  const many = Number(count) !== 1
  if (origin === 'string') return many ? ' characters long' : ' character long'
  if (origin === 'array') return many ? ' entries long' : ' entry long'
  return ''
}
