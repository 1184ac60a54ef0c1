import type { Random } from './random.ts'

type Node = Record<string, unknown> | unknown[]

const HUGE = 'x'.repeat(100_000)
/** Replacements that fit any value. */
const INVALID_VALUES: readonly (() => unknown)[] = [
  ...[null, true, false, 0, -1, 1.5, 1e308, -1e308, 2 ** 53, -(2 ** 63), '', ' ', 'null', '0'].map(
    (value) => () => value,
  ),
  ...['\u0000', 'a\u0000b', '\ud800', '\udfff\ud800', '\u202egpj.exe', '﷽'.repeat(50), HUGE].map(
    (value) => () => value,
  ),
  ...["' OR 1=1 --", '{{7*7}}', '../../etc/passwd', '%00', 'javascript:alert(1)', '<svg onload=x>'].map(
    (value) => () => value,
  ),
  ...['2026-02-30T00:00:00Z', '9999999-01-01', 'a@b', `${'a'.repeat(64)}@${'b'.repeat(250)}.test`].map(
    (value) => () => value,
  ),
  () => [],
  () => ({}),
  () => [null],
  () => ({ constructor: { prototype: 1 } }),
  () => Array.from({ length: 5000 }, (_, index) => index),
  () => nest(200),
]

function nest(depth: number): unknown {
  let value: unknown = 1
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { a: value }
  return value
}

/** Copies a value and introduces one to three errors: a field removed, added, or changed to another type. */
export function invalidate(value: unknown, random: Random): unknown {
  let invalid: unknown = structuredClone(value)
  for (let errors = random.int(1, 3); errors > 0; errors--) {
    const nodes = nodesOf(invalid)
    if (nodes.length === 0 || random.chance(0.05)) invalid = random.pick(INVALID_VALUES)()
    else invalidateNode(random.pick(nodes), random)
  }
  return invalid
}

function invalidateNode(node: Node, random: Random): void {
  const keys = Object.keys(node)
  const key = keys.length === 0 ? 'x' : random.pick(keys)
  const act = random.int(0, 9)
  if (Array.isArray(node)) {
    if (act < 3) node.splice(Number(key) || 0, 1)
    else node[Number(key) || 0] = random.pick(INVALID_VALUES)()
    return
  }
  if (act < 3) delete node[key]
  else if (act < 4)
    node[random.pick(['__proto__x', 'toString', 'constructor', 'x'.repeat(300), 'ключ', ''])] =
      random.pick(INVALID_VALUES)()
  else node[key] = random.pick(INVALID_VALUES)()
}

function nodesOf(value: unknown): Node[] {
  if (typeof value !== 'object' || value === null) return []
  return [value as Node, ...Object.values(value).flatMap(nodesOf)]
}

/** Creates a malformed body or a body with an incorrect content type. */
export function invalidateText(
  text: string,
  random: Random,
): { body: string | Buffer; content_type: string | null } {
  const json = 'application/json'
  const at = random.int(0, text.length)
  const choices: (() => { body: string | Buffer; content_type: string | null })[] = [
    () => ({ body: text.slice(0, at), content_type: json }),
    () => ({
      body: `${text.slice(0, at)}${random.pick(['}', ']', ',', '"', '\\', 'NaN', '0x1', '\u0001'])}${text.slice(at)}`,
      content_type: json,
    }),
    () => ({ body: '', content_type: json }),
    () => ({ body: `\ufeff${text}`, content_type: json }),
    () => ({
      body: Buffer.concat([Buffer.from(text.slice(0, at)), Buffer.from([0xff, 0xfe, 0xc0, 0x80])]),
      content_type: json,
    }),
    () => ({ body: `${'['.repeat(20_000)}${']'.repeat(20_000)}`, content_type: json }),
    () => ({
      body: `{"a":1e999${text.startsWith('{') && text.length > 2 ? `,${text.slice(1)}` : '}'}`,
      content_type: json,
    }),
    () => ({ body: JSON.stringify({ pad: HUGE.repeat(11) }), content_type: json }),
    () => ({
      body: text,
      content_type: random.pick([
        'text/plain',
        'application/xml',
        'application/json; charset=utf-16',
        'application/jsonx',
        'multipart/form-data',
        'application/x-www-form-urlencoded',
      ]),
    }),
    () => ({ body: Buffer.from(text, 'utf16le'), content_type: json }),
    () => ({
      body: text.replace('{', '{"__proto__":{"is_admin":true},'),
      content_type: 'Application/JSON; charset="UTF-8"',
    }),
    () => ({ body: Buffer.from(text), content_type: null }),
  ]
  return random.pick(choices)()
}
