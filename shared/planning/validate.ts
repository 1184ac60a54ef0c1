import type { z } from 'zod'
import { type Texts, unpackTexts, writeTexts } from '../text/texts.ts'
import { didYouMean } from '../text/words.ts'
import { issueMessage } from './issue-message.ts'
import { type Operation, type PlanRefusal, refuse } from './operation.ts'
import { suggestName } from './suggest.ts'

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
  if (unknown !== undefined) return refuse(shorten(unknown), describeUnknown(operation, unknown, known))
  const parsed = operation.parameters.safeParse(params, { error: issueMessage })
  if (parsed.success) return { params: parsed.data }
  const [first, second] = parsed.error.issues
  // A number beyond the safe integers has two issues; the parameter's limit is the more useful one.
  const issue = isBeyondIntegers(first) && second?.path.join() === first?.path.join() ? second : first
  const [field] = issue?.path ?? []
  if (issue === undefined || field === undefined)
    return refuse(null, issue ? unpackTexts(issue.message) : INVALID)
  const place = issue.path.join('.')
  const message = unpackTexts(issue.message)
  return refuse(
    String(field),
    writeTexts((locale) => `${place}: ${message[locale]}`),
  )
}

const INVALID: Texts = {
  en: 'params: is invalid',
  uk: 'params: недопустиме значення',
  ru: 'params: недопустимое значение',
}

function describeUnknown({ service, key }: Validated, unknown: string, known: readonly string[]): Texts {
  // Link operations read `url`; all others read a file.
  const suggestion = suggestName(unknown, known.includes('url') ? known : [...known, 'file_url'])
  const field = shorten(unknown)
  const name = `${service}/${key}`
  const list = known.join(', ')
  const sentences = {
    en: `${field}: is not a parameter of ${name}. It accepts ${list || 'no parameters'}`,
    uk: `${field}: операція ${name} не має такого параметра. ${list ? `Доступні параметри: ${list}` : 'У неї немає параметрів'}`,
    ru: `${field}: у операции ${name} нет такого параметра. ${list ? `Доступные параметры: ${list}` : 'У нее нет параметров'}`,
  }
  if (suggestion === undefined) return sentences
  return writeTexts((locale) => `${sentences[locale]}. ${didYouMean(locale, suggestion)}`)
}

function isBeyondIntegers(issue: z.core.$ZodIssue | undefined): boolean {
  return (issue?.code === 'too_big' || issue?.code === 'too_small') && issue.origin === 'int'
}

function shorten(text: string): string {
  return text.length <= SHOWN_CHARACTERS_MAX ? text : `${text.slice(0, SHOWN_CHARACTERS_MAX)}…`
}
