import { describe, expect, test } from 'vitest'
import { countWordErrors, spokenWords } from './word-errors.ts'

describe('spokenWords', () => {
  test('ignores case, punctuation, hyphens and abbreviations', () => {
    expect(spokenWords('Mr. Dashwood, an ill-disposed man: I’m sure.')).toEqual(
      "mister dashwood an ill disposed man i'm sure".split(' '),
    )
    expect(spokenWords(' — ')).toEqual([])
  })
})

describe('countWordErrors', () => {
  test.each([
    ['he was young', 'he was young', 0],
    ['he was young', '', 3],
    ['', 'he was', 2],
    ['he was young', 'she was young', 1],
    ['he was young', 'he was not young', 1],
    ['he was not young', 'he young', 2],
    ['an ill disposed man', 'an illness those man', 2],
  ])('%s → %s: %i', (said, recognized, errors) => {
    expect(countWordErrors(said.split(' ').filter(Boolean), recognized.split(' ').filter(Boolean))).toBe(
      errors,
    )
  })
})
