import { useState } from 'preact/hooks'

/**
 * Keeps a text as it is typed for as long as it means the current value, so that "1." and "1:5" survive until they
 * are complete.
 * @returns the text to show, and what to call with a new text
 */
export function useDraft<Value>(
  value: Value,
  write: (value: Value) => string,
  read: (text: string) => Value,
): [string, (text: string) => Value] {
  const [text, setText] = useState(() => write(value))
  const take = (next: string) => {
    setText(next)
    return read(next)
  }
  return [Object.is(read(text), value) ? text : write(value), take]
}
