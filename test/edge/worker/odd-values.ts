const ODD_VALUES: unknown[] = [
  null,
  true,
  '',
  '0',
  'x\u0000y',
  '\ud800',
  'x'.repeat(5000),
  -1,
  1.5,
  1e308,
  Number.MAX_SAFE_INTEGER,
  '99999999999999999999',
  '1e99',
  [],
  {},
  ['\udfff'],
]

/** Yields variants of a value, in each of which one part is removed or replaced with an unusual value. */
export function* oddVariants(value: unknown): Generator<unknown> {
  yield* ODD_VALUES
  if (typeof value !== 'object' || value === null) return
  for (const [key, part] of Object.entries(value)) {
    const rest = Object.entries(value).filter(([name]) => name !== key)
    if (!Array.isArray(value)) yield Object.fromEntries(rest)
    for (const odd of oddVariants(part)) {
      yield Array.isArray(value)
        ? value.map((item, index) => (String(index) === key ? odd : item))
        : Object.fromEntries([...rest, [key, odd]])
    }
  }
}
