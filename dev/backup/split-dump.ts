const TRIGGER = /^CREATE\s+(?:TEMP\s+|TEMPORARY\s+)?TRIGGER\b/i

/**
 * Splits a dump of sqld into statements. A statement ends with a semicolon at the end of a line, and a trigger with
 * `END;`. Texts contain no line breaks, because the dump writes them as replace(…, char(10)).
 */
export async function* splitDump(lines: AsyncIterable<string> | Iterable<string>): AsyncGenerator<string> {
  let open: string[] = []
  for await (const line of lines) {
    if (open.length === 0 && line.trim() === '') continue
    open.push(line)
    const isTrigger = TRIGGER.test(open[0] ?? '')
    if (!(isTrigger ? /\bEND;\s*$/i : /;\s*$/).test(line)) continue
    yield open.join('\n')
    open = []
  }
  if (open.length > 0) throw new Error('The backup ends within a statement.')
}

/** Statements that the restore sends itself, or that sqld refuses. */
const FRAME = /^(?:PRAGMA\s+foreign_keys|BEGIN\s+TRANSACTION|COMMIT)\b/i

export function isFrame(statement: string): boolean {
  return FRAME.test(statement)
}
