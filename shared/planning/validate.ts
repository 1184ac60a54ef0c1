import type { z } from 'zod'
import { issueMessage } from './issue-message.ts'
import type { Operation, PlanRefusal } from './operation.ts'
import { didYouMean } from './suggest.ts'

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
    // Link operations read `url`; all others read a file.
    const suggestion = didYouMean(unknown, known.includes('url') ? known : [...known, 'file_url'])
    return {
      refused: {
        field,
        message: `${field}: is not a parameter of ${operation.service}/${operation.key}. It accepts ${accepted}${suggestion && `.${suggestion}`}`,
      },
    }
  }
  const parsed = operation.parameters.safeParse(params, { error: issueMessage })
  if (parsed.success) return { params: parsed.data }
  const [first, second] = parsed.error.issues
  // A number beyond the safe integers has two issues; the parameter's limit is the more useful one.
  const issue = isBeyondIntegers(first) && second?.path.join() === first?.path.join() ? second : first
  const [field] = issue?.path ?? []
  if (issue === undefined || field === undefined) {
    return { refused: { field: null, message: issue?.message ?? 'params: is invalid' } }
  }
  return {
    refused: { field: String(field), message: `${issue.path.join('.')}: ${issue.message}` },
  }
}

function isBeyondIntegers(issue: z.core.$ZodIssue | undefined): boolean {
  return (issue?.code === 'too_big' || issue?.code === 'too_small') && issue.origin === 'int'
}

function shorten(text: string): string {
  return text.length <= SHOWN_CHARACTERS_MAX ? text : `${text.slice(0, SHOWN_CHARACTERS_MAX)}…`
}
