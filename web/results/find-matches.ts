export interface TextPart {
  text: string
  isMatch: boolean
}

/** Splits a text at the occurrences of a query, regardless of upper and lower case. */
export function findMatches(text: string, query: string): TextPart[] {
  if (query.trim() === '') return [{ text, isMatch: false }]
  const pattern = new RegExp(`(${query.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')})`, 'giu')
  return text
    .split(pattern)
    .map((part, index) => ({ text: part, isMatch: index % 2 === 1 }))
    .filter((part) => part.text !== '')
}
