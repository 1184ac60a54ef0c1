import { expect, test } from 'vitest'
import { findMatches } from './find-matches.ts'

const marked = (text: string, query: string) =>
  findMatches(text, query)
    .map((part) => (part.isMatch ? `[${part.text}]` : part.text))
    .join('')

test.each([
  ['One two one', 'one', '[One] two [one]'],
  ['Їжак і їжак', 'їжак', '[Їжак] і [їжак]'],
  ['What? (Yes.)', '? (', 'What[? (]Yes.)'],
  ['1/2 {a}-b', '}-', '1/2 {a[}-]b'],
  ['nothing here', 'else', 'nothing here'],
  ['all of it', ' ', 'all of it'],
])('"%s" has matches of "%s": %s', (text, query, expected) => {
  expect(marked(text, query)).toBe(expected)
})
