import { InvalidArgumentError, Option } from 'commander'
import type { CatalogField } from './catalog-entry.ts'

/** Returns the flag of a parameter: `resize_mode` is `--resize-mode`. */
export function flagOf(name: string): string {
  return `--${name.replaceAll('_', '-')}`
}

/** Returns the command line options of a parameter. A Boolean has two, so that either value can be set. */
export function fieldOptions(field: CatalogField): Option[] {
  const flag = flagOf(field.name)
  if (field.type === 'boolean') {
    return [new Option(flag, describe(field)), new Option(flag.replace('--', '--no-'), `Turns ${flag} off`)]
  }
  const takes_many = field.type === 'array'
  const option = new Option(`${flag} <${placeholder(field)}${takes_many ? '...' : ''}>`, describe(field))
  // Completions read the choices; the parser below enforces them.
  if (field.choices !== undefined) option.choices(field.choices.map(String))
  option.argParser((text: string, previous: unknown) => {
    const value = parseField(takes_many ? { ...field, type: field.item ?? 'string' } : field, text)
    return takes_many ? [...((previous as unknown[] | undefined) ?? []), ...[value].flat()] : value
  })
  return [option]
}

/** Parses the text of an option. @throws InvalidArgumentError that names the allowed values */
export function parseField({ type, choices, min, max }: CatalogField, text: string): unknown {
  const value = parseType(type, text)
  if (choices !== undefined && !choices.includes(value as string | number)) {
    throw new InvalidArgumentError(`Allowed choices are ${choices.join(', ')}.`)
  }
  if (typeof value === 'number') {
    if (min !== undefined && value < min) throw new InvalidArgumentError(`It must be at least ${min}.`)
    if (max !== undefined && value > max) throw new InvalidArgumentError(`It must be at most ${max}.`)
  }
  return value
}

function parseType(type: CatalogField['type'], text: string): unknown {
  if (type === 'integer' || type === 'number') {
    const value = Number(text)
    if (text.trim() === '' || !Number.isFinite(value)) throw new InvalidArgumentError('It must be a number.')
    if (type === 'integer' && !Number.isInteger(value)) {
      throw new InvalidArgumentError('It must be a whole number.')
    }
    return value
  }
  if (type === 'object') return /^\s*[[{]/.test(text) ? parseJson(text) : { url: text }
  return type === 'json' ? parseJson(text) : text
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new InvalidArgumentError('It must be JSON.')
  }
}

const CHOICES_MAX = 12

function describe({ description = '', choices, default: fallback, min, max }: CatalogField): string {
  const listed = choices !== undefined && choices.length <= CHOICES_MAX ? choices.join(', ') : null
  const range =
    min !== undefined && max !== undefined ? `${min} to ${max}` : min !== undefined ? `at least ${min}` : null
  const notes = [listed ?? range, fallback !== undefined && `default: ${format(fallback)}`].filter(Boolean)
  return `${description}${notes.length > 0 ? ` (${notes.join('; ')})` : ''}`
}

function format(value: unknown): string {
  return Array.isArray(value) ? value.join(', ') : String(value)
}

function placeholder({ type, item, choices }: CatalogField): string {
  if (choices !== undefined) return 'choice'
  const kind = type === 'array' ? (item ?? 'value') : type
  return (
    { integer: 'number', number: 'number', string: 'text', object: 'url or JSON', json: 'JSON' }[
      kind as string
    ] ?? 'value'
  )
}
