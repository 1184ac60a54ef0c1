import fc from 'fast-check'
import type { Schema } from './document.ts'
import type { Random } from './random.ts'

/** Looks up existing resources by field name. Most values come from this lookup, so requests pass validation. */
export type Known = (name: string) => readonly unknown[] | undefined

const KNOWN_SHARE = 0.8
const OPTIONAL_SHARE = 0.5
const LENGTH_MAX = 3000

/** Generates a value that is valid according to the schema. */
export function makeValue(schema: Schema, random: Random, known: Known, name = ''): unknown {
  const resources = known(name)
  if (resources !== undefined && resources.length > 0 && random.chance(KNOWN_SHARE))
    return random.pick(resources)
  if (schema.enum !== undefined) return random.pick(schema.enum)
  if ('const' in schema) return schema.const
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined) return makeValue(random.pick(choices), random, known, name)
  if (schema.allOf !== undefined) {
    const parts = schema.allOf.map((part) => makeValue(part, random, known, name))
    // A single part wraps a value of any type that has a default.
    const isObject = parts.length > 1 && parts.every((part) => typeof part === 'object')
    return isObject ? Object.assign({}, ...parts) : parts[0]
  }
  switch (typeOf(schema, random)) {
    case 'object':
      return objectOf(schema, random, known)
    case 'array':
      return arrayOf(schema, random, known, name)
    case 'string':
      return stringOf(schema, random)
    case 'integer':
      return integerOf(schema, random)
    case 'number':
      return random.chance(0.5) ? integerOf(schema, random) : fractionOf(schema, random)
    case 'boolean':
      return random.chance(0.5)
    case 'null':
      return null
    default:
      return random.pick(ANYTHING)
  }
}

const ANYTHING = [null, true, 0, -1.5, '', 'text', [], {}, [1, [2]], { a: { b: null } }]

function typeOf({ type, properties }: Schema, random: Random): string {
  if (Array.isArray(type)) return random.pick(type)
  return type ?? (properties === undefined ? '' : 'object')
}

function objectOf({ properties = {}, required = [], ...rest }: Schema, random: Random, known: Known) {
  const value: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries(properties)) {
    if (!required.includes(name) && !random.chance(OPTIONAL_SHARE)) continue
    value[name] = makeValue(schema, random, known, name)
  }
  const open = rest.additionalProperties
  if (typeof open === 'object' && random.chance(0.2)) {
    value[random.pick(['x', 'note', 'über', '0'])] = makeValue(open, random, known)
  }
  return value
}

function arrayOf(
  { items = {}, minItems = 0, maxItems = 50 }: Schema,
  random: Random,
  known: Known,
  name: string,
) {
  const length = random.chance(0.05)
    ? Math.min(maxItems, 200)
    : random.int(minItems, Math.min(maxItems, minItems + 3))
  // A list's name is the plural of its items' name.
  return Array.from({ length }, () => makeValue(items, random, known, name.replace(/s$/, '')))
}

function integerOf(
  { minimum = -(2 ** 53) + 1, maximum = 2 ** 53 - 1, exclusiveMinimum }: Schema,
  random: Random,
) {
  const least = exclusiveMinimum === undefined ? minimum : exclusiveMinimum + 1
  const near = Math.max(least, Math.min(maximum, 0))
  const choices = [least, maximum, near, Math.min(maximum, near + 1), Math.min(maximum, near + 30)]
  return random.chance(0.5) ? random.pick(choices) : random.int(near, Math.min(maximum, near + 1000))
}

function fractionOf(schema: Schema, random: Random): number {
  return Math.min(schema.maximum ?? Number.MAX_VALUE, integerOf(schema, random) + random.next())
}

const ALPHABETS = [
  'abcdefghij',
  'AZaz09 -_.,',
  'äöüßéñ',
  'їжакщю',
  '日本語漢字',
  '👩‍👩‍👧🏳️‍🌈é',
  '<>&"\'`;%{}$',
  'مرحبا‏שלום',
]

function stringOf(schema: Schema, random: Random): string {
  const { format, pattern, minLength = 0, maxLength = 200 } = schema
  // The schema of the JSON in a text is not known, but its example is valid.
  if (format === 'json') return String(schema.example)
  if (format !== undefined && format in FORMATS) return FORMATS[format]?.(random) ?? ''
  if (pattern !== undefined) return random.pick(matchesOf(pattern, minLength, maxLength))
  const characters = [...random.pick(ALPHABETS)]
  // The document counts code points, but the server may count UTF-16 units, and a character can take up two units.
  const longest = Math.floor(Math.min(maxLength, LENGTH_MAX) / 2)
  if (longest < minLength) return 'x'.repeat(random.int(minLength, maxLength))
  const usual = random.int(minLength, Math.min(longest, minLength + 20))
  const length = random.chance(0.1) ? longest : usual
  return Array.from({ length }, () => random.pick(characters))
    .join('')
    .replace(/^\s|\s$/g, 'x')
}

/** None of these addresses points outside this machine. */
const FORMATS: Record<string, (random: Random) => string> = {
  'date-time': (random) => new Date(1.7e12 + random.int(0, 2e11)).toISOString(),
  date: (random) => new Date(1.7e12 + random.int(0, 2e11)).toISOString().slice(0, 10),
  email: (random) =>
    `r${random.int(0, 1e9)}@${random.pick(['localhost.test', 'mail.invalid', 'xn--e1afmkfd.invalid'])}`,
  uri: (random) =>
    random.pick([
      'https://hooks.invalid/a?b=1',
      'http://127.0.0.1:9/',
      'https://[::1]/',
      'http://nowhere.invalid',
    ]),
  uuid: (random) =>
    `00000000-0000-4000-8000-${random
      .int(0, 2 ** 47)
      .toString(16)
      .padStart(12, '0')}`,
}

const matches = new Map<string, string[]>()

/** Generates up to 30 strings that match a pattern. The result is always the same. */
function matchesOf(pattern: string, minLength: number, maxLength: number): string[] {
  const found = matches.get(pattern)
  if (found !== undefined) return found
  const fits = fc
    .stringMatching(new RegExp(pattern, 'u'))
    .filter(({ length }) => length >= minLength && length <= maxLength)
  const made = fc.sample(fits, { seed: 1, numRuns: 30 })
  matches.set(pattern, made)
  return made
}
