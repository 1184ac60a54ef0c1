import { escapeCell } from '../docs/parameters.ts'
import type { ApiDocument, Schema } from './api-document.ts'

type Schemas = ApiDocument['components']['schemas']

/** Returns a table of the fields of an object; null if the schema has no fields of its own. */
export function fieldsTable(schema: Schema, schemas: Schemas, isInput: boolean): string | null {
  const { properties, required } = fieldsOf(schema, schemas)
  const rows = Object.entries(properties)
  if (rows.length === 0) return null
  return [
    '| Field | Type | Meaning |',
    '| --- | --- | --- |',
    ...rows.map(([name, field]) => {
      const needed = isInput && required.has(name) ? ', required' : ''
      const about = field.description ?? resolve(field, schemas).description ?? ''
      return `| \`${name}\` | ${typeText(field, schemas)}${needed} | ${escapeCell(about)} |`
    }),
  ].join('\n')
}

interface Fields {
  properties: Record<string, Schema>
  required: Set<string>
}

/** Collects the fields of a schema. For alternatives, lists only the fields that all of them share. */
function fieldsOf(schema: Schema, schemas: Schemas): Fields {
  const own = resolve(schema, schemas)
  const alternatives = (own.oneOf ?? own.anyOf ?? []).map((each) => fieldsOf(each, schemas))
  const parts = [...(own.allOf ?? []).map((each) => fieldsOf(each, schemas)), ...commonFields(alternatives)]
  return {
    properties: Object.assign({}, ...parts.map(({ properties }) => properties), own.properties),
    required: new Set([...parts.flatMap(({ required }) => [...required]), ...(own.required ?? [])]),
  }
}

function commonFields(alternatives: Fields[]): Fields[] {
  const [first, ...others] = alternatives.filter(({ properties }) => Object.keys(properties).length > 0)
  if (first === undefined) return []
  const shared = Object.entries(first.properties).filter(([name]) =>
    others.every(({ properties }) => name in properties),
  )
  const general =
    others.length === 0
      ? shared
      : shared.map(([name, field]) => {
          const fields = others.flatMap(({ properties }) => properties[name] ?? [])
          return [name, generalize(field, fields)] as const
        })
  const required = [...first.required].filter((name) => others.every((each) => each.required.has(name)))
  return [{ properties: Object.fromEntries(general), required: new Set(required) }]
}

/** Removes details that apply to only one of several alternatives: `field`, and the same field of the `others`. */
function generalize(field: Schema, others: Schema[]): Schema {
  const isShared = (part: unknown, of: (other: Schema) => unknown) =>
    others.every((other) => JSON.stringify(of(other)) === JSON.stringify(part))
  if (isShared(field, (other) => other)) return field
  const description = isShared(field.description, (other) => other.description)
    ? field.description
    : undefined
  const { type, const: value, anyOf } = field
  if (value !== undefined) return { type: typeof value, description }
  if (anyOf?.some((option) => option.type === 'null')) return { type: ['object', 'null'], description }
  return { type: type ?? 'object', description }
}

/** Returns the schema that a reference names, with the parts of `allOf` that only describe it merged into it. */
function resolve(schema: Schema, schemas: Schemas): Schema {
  const { $ref, allOf, ...own } = schema
  if ($ref !== undefined) return { ...resolve(schemas[$ref.split('/').at(-1) ?? ''] ?? {}, schemas), ...own }
  const parts = (allOf ?? []).map((part) => resolve(part, schemas))
  // Several parts with fields are merged by fieldsOf.
  const isMerged = parts.filter(hasFields).length > 1
  return isMerged ? schema : Object.assign({}, ...parts, own)
}

function hasFields({ properties, allOf, anyOf, oneOf }: Schema): boolean {
  return (properties ?? allOf ?? anyOf ?? oneOf) !== undefined
}

/** Describes a type in a few words, such as `integer, 1 to 20, default 5` or `array of objects`. */
export function typeText(schema: Schema, schemas: Schemas): string {
  const own = resolve(schema, schemas)
  const { default: value } = own
  const hasDefault = value !== undefined && value !== null && typeof value !== 'object'
  return `${kindText(own, schemas)}${hasDefault ? `, default \`${JSON.stringify(value)}\`` : ''}`
}

function kindText(own: Schema, schemas: Schemas): string {
  const options = own.oneOf ?? own.anyOf
  if (options !== undefined) return uniqueTexts(options, schemas)
  if (own.const !== undefined) return `\`${JSON.stringify(own.const)}\``
  if (own.enum !== undefined) return own.enum.map((value) => `\`${JSON.stringify(value)}\``).join(', ')
  const types = own.type === undefined ? ['object'] : [own.type].flat()
  const names = types.map((type) => (type === 'array' ? arrayText(own, schemas) : type))
  const bounds = boundsText(own)
  return `${names.join(' or ')}${bounds === '' ? '' : `, ${bounds}`}`
}

function uniqueTexts(options: Schema[], schemas: Schemas): string {
  const texts = [...new Set(options.map((option) => typeText(option, schemas)))]
  return texts.length > 4 ? 'object' : texts.join(' or ')
}

function arrayText({ items }: Schema, schemas: Schemas): string {
  if (items === undefined) return 'array'
  const { type, properties, allOf, oneOf } = resolve(items, schemas)
  const isObject = type === 'object' || properties !== undefined || allOf !== undefined || oneOf !== undefined
  return isObject ? 'array of objects' : `array of ${typeText(items, schemas)}`
}

function boundsText(schema: Schema): string {
  const ranges = [
    [schema.minimum, schema.maximum, ''],
    [schema.minLength, schema.maxLength, ' characters'],
    [schema.minItems, schema.maxItems, ' entries'],
  ] as const
  return ranges.flatMap(([low, high, unit]) => rangeText(low, high, unit)).join(', ')
}

function rangeText(low: number | undefined, high: number | undefined, unit: string): string[] {
  const least = low === undefined || low === Number.MIN_SAFE_INTEGER ? undefined : low
  const most = high === undefined || high === Number.MAX_SAFE_INTEGER ? undefined : high
  if (least !== undefined && most !== undefined) return [`${least} to ${most}${unit}`]
  if (most !== undefined) return [`at most ${most}${unit}`]
  return least === undefined || least === 0 ? [] : [`at least ${least}${unit}`]
}
