import type { z } from 'zod'
import type { Operation, PlanRefusal } from './operation.ts'

const SHOWN_CHARACTERS_MAX = 40

type Validated = Pick<Operation, 'service' | 'key' | 'parameters'>

/**
 * Checks the params of a submit and fills in the defaults. What addresses the input (file_url, url,
 * filename, operations) is taken out by the caller first: it belongs to every operation.
 * The refusal is for a 400 (Contract: Errors, Status 400), and names one parameter.
 */
export function validateParams(
  operation: Validated,
  params: Record<string, unknown>,
): { params: Record<string, unknown> } | PlanRefusal {
  const known = Object.keys(operation.parameters.shape)
  const unknown = Object.keys(params).find((key) => !known.includes(key))
  if (unknown !== undefined) {
    const field = shorten(unknown)
    const takes = known.length === 0 ? 'no parameters' : known.join(', ')
    return {
      refused: {
        field,
        message: `${field}: is not a parameter of ${operation.service}/${operation.key}, which takes ${takes}`,
      },
    }
  }
  const parsed = operation.parameters.safeParse(params)
  if (parsed.success) return { params: parsed.data }
  const [first, second] = parsed.error.issues
  // A whole number that no bits can hold is told first; what the parameter takes at most says more.
  const issue = isBeyondIntegers(first) && second?.path.join() === first?.path.join() ? second : first
  const [field] = issue?.path ?? []
  if (issue === undefined || field === undefined) {
    return { refused: { field: null, message: issue?.message ?? 'params: cannot be read' } }
  }
  return {
    refused: { field: String(field), message: `${issue.path.join('.')}: ${sentence(issue, params)}` },
  }
}

function isBeyondIntegers(issue: z.core.$ZodIssue | undefined): boolean {
  return (issue?.code === 'too_big' || issue?.code === 'too_small') && issue.origin === 'int'
}

/** Tells what a parameter must be, and what it was where that is short enough to read. */
function sentence(issue: z.core.$ZodIssue, params: Record<string, unknown>): string {
  const sent = valueAt(params, issue.path)
  const must = requirement(issue)
  if (must === null) return issue.message
  if (sent === undefined) return `is missing; it must be ${must}`
  const shown = JSON.stringify(sent)
  return shown.length <= SHOWN_CHARACTERS_MAX ? `must be ${must}, not ${shown}` : `must be ${must}`
}

/** What the schema wanted, to be read after "must be"; null where the schema has its own sentence. */
function requirement(issue: z.core.$ZodIssue): string | null {
  switch (issue.code) {
    case 'invalid_type':
      return TYPE_NAMES[issue.expected] ?? `of type ${issue.expected}`
    case 'invalid_value':
      return `one of ${issue.values.map(String).join(', ')}`
    case 'too_small':
      return `${issue.inclusive === false ? 'more than' : 'at least'} ${issue.minimum}${unitOf(issue.origin, issue.minimum)}`
    case 'too_big':
      return `${issue.inclusive === false ? 'less than' : 'at most'} ${issue.maximum}${unitOf(issue.origin, issue.maximum)}`
    case 'invalid_format':
      return issue.format === 'url' ? 'an http or https address' : null
    default:
      return null
  }
}

const TYPE_NAMES: Partial<Record<string, string>> = {
  int: 'a whole number',
  number: 'a number',
  string: 'a text',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
}

/** A bound of a text or a list counts its parts; a bound of a number is the number itself. */
function unitOf(origin: string, count: number | bigint): string {
  const many = Number(count) !== 1
  if (origin === 'string') return many ? ' characters long' : ' character long'
  if (origin === 'array') return many ? ' entries long' : ' entry long'
  return ''
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((inner, key) => {
    if (typeof inner !== 'object' || inner === null || !Object.hasOwn(inner, key)) return undefined
    return Reflect.get(inner, key)
  }, value)
}

function shorten(text: string): string {
  return text.length <= SHOWN_CHARACTERS_MAX ? text : `${text.slice(0, SHOWN_CHARACTERS_MAX)}…`
}
