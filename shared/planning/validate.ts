import type { z } from 'zod'
import type { Operation, PlanRefusal } from './operation.ts'

const SHOWN_CHARACTERS_MAX = 40

type Validated = Pick<Operation, 'service' | 'key' | 'parameters'>

/**
 * Validates submitted params and applies defaults. The caller first removes the keys that every operation
 * accepts (file_url, url, filename, operations).
 * @returns the params, or a refusal for a 400 that names one parameter (Contract: Errors, Status 400).
 */
export function validateParams(
  operation: Validated,
  params: Record<string, unknown>,
): { params: Record<string, unknown> } | PlanRefusal {
  const known = Object.keys(operation.parameters.shape)
  const unknown = Object.keys(params).find((key) => !known.includes(key))
  if (unknown !== undefined) {
    const field = shorten(unknown)
    const accepted = known.length === 0 ? 'no parameters' : known.join(', ')
    return {
      refused: {
        field,
        message: `${field}: is not a parameter of ${operation.service}/${operation.key}. It accepts ${accepted}`,
      },
    }
  }
  const parsed = operation.parameters.safeParse(params)
  if (parsed.success) return { params: parsed.data }
  const [first, second] = parsed.error.issues
  // A number beyond the safe integers has two issues; the limit of the parameter is the more useful one.
  const issue = isBeyondIntegers(first) && second?.path.join() === first?.path.join() ? second : first
  const [field] = issue?.path ?? []
  if (issue === undefined || field === undefined) {
    return { refused: { field: null, message: issue?.message ?? 'params: is invalid' } }
  }
  return {
    refused: { field: String(field), message: `${issue.path.join('.')}: ${sentence(issue, params)}` },
  }
}

function isBeyondIntegers(issue: z.core.$ZodIssue | undefined): boolean {
  return (issue?.code === 'too_big' || issue?.code === 'too_small') && issue.origin === 'int'
}

/** Describes the requirement, and quotes the rejected value if it is short. */
function sentence(issue: z.core.$ZodIssue, params: Record<string, unknown>): string {
  const sent = valueAt(params, issue.path)
  const must = requirement(issue)
  if (must === null) return issue.message
  if (sent === undefined) return `is required; it must be ${must}`
  const shown = JSON.stringify(sent)
  return shown.length <= SHOWN_CHARACTERS_MAX ? `must be ${must}, not ${shown}` : `must be ${must}`
}

/** Returns the requirement as it reads after "must be"; null if the schema has a message of its own. */
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
      return issue.format === 'url' ? 'an http or https URL' : null
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
}

/** Returns the unit of a bound: characters of a string or entries of an array; none for numbers. */
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
