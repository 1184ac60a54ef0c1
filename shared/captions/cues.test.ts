import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Word } from '../planning/facts.ts'
import { joinWords, lengthOf, orderWords } from '../speech/words.ts'
import { CUE_LIMITS, cuesOf } from './cues.ts'

/** Returns words with realistic timing: longer words take longer, and punctuation adds a pause. */
function say(text: string, from = 0): Word[] {
  let at = from
  return text.split(' ').map((word) => {
    const start = at
    const end = start + 0.12 + word.length * 0.045
    at = end + (/[.?!]$/.test(word) ? 0.5 : /,$/.test(word) ? 0.2 : 0.02)
    return { text: word, start, end }
  })
}

const textsOf = (words: readonly Word[], limits = {}) =>
  cuesOf(words, { ...CUE_LIMITS, ...limits }).map(({ lines }) => lines.map(joinWords))

describe('subtitles break', () => {
  test('at the ends of sentences and clauses, in two lines of similar length', () => {
    const said =
      'He bought a very large cabbage and some potatoes for his grandmother, who lives in the little house ' +
      "at the end of the road. She said that she would come tomorrow but I don't believe her."
    expect(textsOf(say(said))).toEqual([
      ['He bought a very large cabbage', 'and some potatoes for his grandmother,'],
      ['who lives in the little house', 'at the end of the road.'],
      ['She said that she would come', "tomorrow but I don't believe her."],
    ])
  })

  test('never after an article or a preposition, unless punctuation requires it', () => {
    const said = 'we went down to the river with the old man and the boy who had a dog in the boat that day'
    for (const line of textsOf(say(said)).flat()) expect(line).not.toMatch(/ (the|a|to|with|in|of|and)$/)
  })

  test('at pauses of the speaker', () => {
    const words = [...say('and then he stopped for a while'), ...say('before he went on with it', 5)]
    expect(textsOf(words)).toEqual([['and then he stopped for a while'], ['before he went on with it']])
  })

  test('Mr. does not end a sentence', () => {
    expect(textsOf(say('Yesterday morning I met Mr. Smith.'))).toEqual([
      ['Yesterday morning I met Mr. Smith.'],
    ])
  })

  test('in scripts without spaces, with characters twice as wide', () => {
    const words = say('今日は とても いい 天気です ので、 公園に 行って 散歩を しました。')
    for (const line of textsOf(words, { language: 'ja' }).flat()) {
      expect(line).not.toContain(' ')
      expect(lengthOf(line)).toBeLessThanOrEqual(42)
    }
  })

  test('after a few words in vertical videos', () => {
    const cues = textsOf(say('one two three four five six seven eight nine'), {
      words_max: 3,
      line_characters_max: 18,
    })
    expect(cues.map((lines) => lines.join(' ').split(' ').length)).toEqual([3, 3, 3])
  })
})

test('keeps a short subtitle on screen long enough to read, and ends the last one with the video', () => {
  const [cue] = cuesOf([{ text: 'Yes.', start: 1, end: 1.2 }], CUE_LIMITS)
  expect(cue?.end).toBeCloseTo(1 + 5 / 6)
  const [late] = cuesOf([{ text: 'Yes.', start: 1, end: 1.2 }], { ...CUE_LIMITS, duration_seconds: 1.3 })
  expect(late?.end).toBe(1.3)
})

const Words = fc
  .array(
    fc.record({
      text: fc.stringMatching(/^[a-zа-я]{1,14}[.,?]?$/),
      seconds: fc.double({ min: 0.05, max: 1.5, noNaN: true }),
      pause: fc.oneof(fc.constant(0), fc.double({ min: 0, max: 4, noNaN: true })),
    }),
    { minLength: 1, maxLength: 80 },
  )
  .map((spoken) => {
    let at = 0
    return spoken.map(({ text, seconds, pause }): Word => {
      const start = at + pause
      at = start + seconds
      return { text, start, end: at }
    })
  })

test('keeps every word in order, within the length limits', () => {
  fc.assert(
    fc.property(Words, fc.constantFrom(20, 32, 42), fc.constantFrom(3, 100), (words, line, words_max) => {
      const limits = { ...CUE_LIMITS, line_characters_max: line, words_max }
      const cues = cuesOf(words, limits)
      expect(cues.flatMap(({ lines }) => lines.flat())).toEqual(words)
      for (const [position, { start, end, lines }] of cues.entries()) {
        expect(end).toBeGreaterThan(start)
        expect(cues[position + 1]?.start ?? Number.POSITIVE_INFINITY).toBeGreaterThanOrEqual(end - 1e-9)
        expect(lines.length).toBeLessThanOrEqual(2)
        expect(lines.flat().length).toBeLessThanOrEqual(words_max)
        for (const text of lines.map(joinWords)) expect(text.length).toBeLessThanOrEqual(line)
        expect(end - start).toBeLessThanOrEqual(7 + 1e-9)
      }
    }),
    { seed: 7, numRuns: 150 },
  )
})

test('converts any recognition output into ordered words', () => {
  const Any = fc.array(
    fc.record({
      text: fc.string(),
      start: fc.double({ min: -5, max: 50 }),
      end: fc.double({ min: -5, max: 50 }),
    }),
  )
  fc.assert(
    fc.property(Any, (words) => {
      const ordered = orderWords(words)
      for (const [position, { text, start, end }] of ordered.entries()) {
        expect(text.trim()).toBe(text)
        expect(text).not.toBe('')
        expect(end).toBeGreaterThan(start)
        expect(start).toBeGreaterThanOrEqual(ordered[position - 1]?.end ?? 0)
      }
    }),
    { seed: 7 },
  )
})
