/** Spellings that sound alike. */
const SPOKEN: Readonly<Record<string, string>> = { mr: 'mister', mrs: 'missus', dr: 'doctor' }

/** Returns the words of an English text as they are spoken, so that spelling counts for nothing. */
export function spokenWords(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+(?:['’][\p{L}\p{N}]+)*/gu) ?? []
  return words.map((word) => word.replace('’', "'")).map((word) => SPOKEN[word] ?? word)
}

/** Counts the words to insert, delete or replace that turn what was recognized into what was said. */
export function countWordErrors(said: readonly string[], recognized: readonly string[]): number {
  let row = [0, ...recognized.map((_, index) => index + 1)]
  for (const [line, word] of said.entries()) {
    const next = [line + 1]
    for (const [index, other] of recognized.entries()) {
      const replaced = (row[index] ?? 0) + (word === other ? 0 : 1)
      next.push(Math.min(replaced, (row[index + 1] ?? 0) + 1, (next[index] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
