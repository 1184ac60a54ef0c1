/** Splits a text after its first sentence. `rest` is empty if the text has only one sentence. */
export function firstSentence(text: string): readonly [first: string, rest: string] {
  const end = /\.\s+/.exec(text)
  if (end === null) return [text, '']
  return [text.slice(0, end.index + 1), text.slice(end.index + end[0].length)]
}
