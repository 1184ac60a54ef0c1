import { compile } from 'json-schema-to-typescript'
import type { ApiDocument, Schema } from './document.ts'

/** A schema that the client declares in addition to those of the document. */
export type NamedSchema = readonly [name: string, schema: Schema]

const ABOUT_REFERENCE = /\n \* *\n \* This interface was referenced by[^\n]*\n \* via the `definition`[^\n]*/g
const ONLY_REFERENCE =
  /\/\*\*\n \* This interface was referenced by[^\n]*\n \* via the `definition`[^\n]*\n \*\/\n/g

/** Writes a TypeScript declaration for each schema that the client uses. */
export async function typesFile({ schemas }: ApiDocument, added: readonly NamedSchema[]): Promise<string> {
  const all = { ...schemas, ...Object.fromEntries(added) }
  const names = findReachable(all, [...added.map(([name]) => name), ...EXPORTED])
  const definitions = Object.fromEntries(names.map((name) => [name, withoutTitles(all[name] ?? {})]))
  const root = { $defs: definitions, type: 'object', additionalProperties: false }
  const text = JSON.stringify(root).replaceAll('#/components/schemas/', '#/$defs/')
  const declarations = await compile(JSON.parse(text), 'Root', {
    additionalProperties: false,
    bannerComment: '',
    format: false,
    ignoreMinAndMaxItems: true,
    unreachableDefinitions: true,
  })
  const readable = declarations
    .replace(ONLY_REFERENCE, '')
    .replace(ABOUT_REFERENCE, '')
    .replace(/export interface Root \{\s*\}\n/, '')
  return `// Generated from the OpenAPI document.\n${readable}`
}

/** Schemas for use in programs, although no endpoint of the client references them. */
const EXPORTED = ['Job', 'Result', 'ErrorCode', 'WebhookEvent']

/** Lists the names of schemas that are reachable from the given ones, in the order of the document. */
function findReachable(schemas: Record<string, Schema>, from: readonly string[]): string[] {
  const found = new Set<string>()
  const visit = (name: string) => {
    if (found.has(name)) return
    found.add(name)
    const text = JSON.stringify(schemas[name] ?? {})
    for (const [, next = ''] of text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)) visit(next)
  }
  for (const name of from) visit(name)
  return Object.keys(schemas).filter((name) => found.has(name))
}

/** Removes titles, because the generator would name types after them. */
function withoutTitles<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(withoutTitles) as Value
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(
    ([key, held]) => !(key === 'title' && typeof held === 'string'),
  )
  return Object.fromEntries(entries.map(([key, held]) => [key, withoutTitles(held)])) as Value
}
