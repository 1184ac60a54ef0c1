import { z } from 'zod'
import { describeFields, entryOf, type Field, unwrap } from '../../shared/planning/fields.ts'
import { firstSentence } from './first-sentence.ts'

/** Longer enums, such as lists of languages, are shortened. */
const OPTIONS_MAX = 24
const OPTIONS_SHOWN = 6

/**
 * Returns a table with a row for every parameter and for every field of array items. Long descriptions continue
 * below the table.
 */
export function parametersTable(parameters: z.ZodObject): string {
  const rows = rowsOf(parameters, '')
  if (rows.length === 0) return 'No parameters.'
  const table = [
    '| Parameter | Values | Default | Meaning |',
    '| --- | --- | --- | --- |',
    ...rows.map(({ cells }) => `| ${cells.join(' | ')} |`),
  ].join('\n')
  const notes = rows.flatMap(({ cells: [name], rest }) => (rest === '' ? [] : [`${name}: ${rest}.`]))
  return [table, ...notes].join('\n\n')
}

interface Row {
  cells: readonly string[]
  /** The rest of the description, after its first sentence. */
  rest: string
}

function rowsOf(parameters: z.ZodObject, prefix: string): Row[] {
  return describeFields({ parameters }).flatMap((field) => {
    const schema = unwrap(parameters.shape[field.key])
    const entry = entryOf(parameters, field.key)
    const values = schema instanceof z.ZodUnion ? unionText(schema) : valuesText(field)
    const initial = field.required ? 'required' : field.default === null ? '' : code(field.default)
    const [meaning, rest] = splitLong(field.description ?? '')
    const cells = [`\`${prefix}${field.key}\``, values, initial, escapeCell(meaning)]
    const inner = entry instanceof z.ZodObject ? rowsOf(entry, `${prefix}${field.key}[].`) : []
    return [{ cells, rest }, ...inner]
  })
}

const CELL_LENGTH_MAX = 160

function splitLong(description: string): readonly [string, string] {
  if (description.length <= CELL_LENGTH_MAX) return [description, '']
  const [first, rest] = firstSentence(description)
  return [first.replace(/\.$/, ''), rest]
}

/** Describes each type in a union as if it were a parameter of that type. */
function unionText({ options }: z.ZodUnion): string {
  const fields = options.flatMap((option) =>
    option instanceof z.ZodType ? describeFields({ parameters: z.object({ option }) }) : [],
  )
  return fields.map(valuesText).join(', or ')
}

function valuesText(field: Field): string {
  if (field.options !== null) return optionsText(field.options)
  const bounds = boundsText(field)
  if (field.type === 'string') return bounds === '' ? 'string' : `string, ${bounds} characters`
  if (field.type === 'array') return bounds === '' ? 'array' : `array, ${bounds} entries`
  return bounds === '' ? field.type : `${field.type}, ${bounds}`
}

function optionsText(options: readonly (string | number)[]): string {
  const shown = options.length > OPTIONS_MAX ? options.slice(0, OPTIONS_SHOWN) : options
  const names = shown.map((option) => `\`${option}\``).join(', ')
  return shown.length === options.length ? names : `${names} … (${options.length} in all)`
}

function boundsText({ min, max }: Field): string {
  if (min !== null && max !== null) return min === max ? `${min}` : `${min} to ${max}`
  if (min !== null) return `at least ${min}`
  return max === null ? '' : `at most ${max}`
}

/** Formats a value as JSON. */
export function code(value: unknown): string {
  return `\`${escapeCell(JSON.stringify(value))}\``
}

/** Escapes a text for the cell of a table. */
export function escapeCell(text: string): string {
  return text.replaceAll('|', '\\|').replace(/\s+/g, ' ')
}
