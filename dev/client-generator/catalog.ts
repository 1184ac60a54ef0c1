import { z } from 'zod'
import { OPERATIONS } from '../../shared/operations/index.ts'
import type { Operation } from '../../shared/planning/operation.ts'
import { placeOf } from './operations.ts'

interface JsonParameter {
  type?: string
  enum?: (string | number)[]
  description?: string
  default?: unknown
  minimum?: number
  maximum?: number
  items?: JsonParameter
  anyOf?: JsonParameter[]
}

/** Writes the catalog that the command line embeds, so that its help needs no network. */
export function catalogFile(): string {
  const rows = OPERATIONS.map((operation) => `  ${JSON.stringify(entryOf(operation))},`)
  return [
    '// Generated from the catalog.',
    "import type { CatalogEntry } from '../cli/catalog-entry.ts'",
    '',
    `export const CATALOG: readonly CatalogEntry[] = [\n${rows.join('\n')}\n]`,
    '',
  ].join('\n')
}

function entryOf(operation: Operation) {
  const { service, key, title, description, credits, parameters } = operation
  const { group } = placeOf(operation)
  const schema = z.toJSONSchema(parameters, { io: 'input', unrepresentable: 'any' })
  const required = schema.required ?? []
  const fields = Object.entries(schema.properties ?? {})
    .filter(([name]) => !(group === 'links' && name === 'url'))
    .map(([name, field]) => fieldOf(name, field as JsonParameter, required.includes(name)))
  return {
    service,
    key,
    group,
    command: (group === 'links' ? key.replace(/^link_/, '') : key).replaceAll('_', '-'),
    title,
    description,
    credits,
    fields,
  }
}

function fieldOf(name: string, field: JsonParameter, required: boolean) {
  const { enum: choices, description, minimum, maximum } = field
  return {
    name,
    type: typeOf(field),
    ...(field.type === 'array' && { item: typeOf(field.items ?? {}) }),
    ...(choices !== undefined && { choices }),
    ...(field.type === 'array' && field.items?.enum !== undefined && { choices: field.items.enum }),
    ...(description !== undefined && { description }),
    ...(field.default !== undefined && { default: field.default }),
    ...(minimum !== undefined && { min: minimum }),
    ...(maximum !== undefined && { max: maximum }),
    ...(required && { required }),
  }
}

/** Returns the type that the command line parses. Values of several types are parsed as JSON or text. */
function typeOf({ type, enum: choices, anyOf }: JsonParameter): string {
  if (choices?.every((choice) => typeof choice === 'number')) return 'number'
  if (choices !== undefined) return 'string'
  if (type !== undefined) return type
  return anyOf?.every((one) => one.type === 'string') ? 'string' : 'json'
}
