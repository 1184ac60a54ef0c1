import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { TimeRange, Word } from '../planning/facts.ts'
import { sampleTranscript } from '../planning/sample-facts.ts'
import { keepAudio, keepVideo } from './cut-graph.ts'
import { type CutOptions, cutSpeech } from './cuts.ts'
import { findFillers } from './fillers.ts'
import { findRetakes, similarity } from './retakes.ts'

const VIDEO = { duration_seconds: 20, frames_per_second: 25 }
const OPTIONS: CutOptions = {
  language: 'en',
  max_pause: 0.6,
  keep_pause: 0.2,
  padding: 0.05,
  remove_fillers: true,
  remove_retakes: true,
}
const word = (text: string, start: number, end = start + 0.4): Word => ({ text, start, end })

/** Returns silences between all words. */
function silencesBetween(words: readonly Word[], duration_seconds: number): TimeRange[] {
  const ends = [...words.map(({ start }) => start), duration_seconds]
  return [0, ...words.map(({ end }) => end)]
    .map((start, position) => ({ start, end: ends[position] ?? duration_seconds }))
    .filter(({ start, end }) => end - start > 0.12)
}

describe('pauses', () => {
  const words = [word('one', 1), word('two', 1.5), word('three', 5), word('four', 5.6)]

  test('are shortened to keep_pause, also at both ends of the video', () => {
    const cuts = cutSpeech(words, silencesBetween(words, 20), VIDEO, OPTIONS)
    expect(cuts).toEqual({
      keep: [
        { start: 0.8, end: 2 },
        { start: 4.88, end: 6.2 },
      ],
      pauses: 3,
      fillers: 0,
      retakes: 0,
    })
  })

  test('are kept if they contain other sounds', () => {
    const laughter = [
      { start: 0, end: 1 },
      { start: 1.9, end: 2.8 },
      { start: 6, end: 20 },
    ]
    const { keep } = cutSpeech(words, laughter, VIDEO, OPTIONS)
    expect(keep).toEqual([
      { start: 0.8, end: 2 },
      { start: 2.68, end: 6.2 },
    ])
  })

  test('are kept if there is nothing to cut', () => {
    expect(cutSpeech(words, [], VIDEO, OPTIONS)).toMatchObject({ keep: [{ start: 0, end: 20 }], pauses: 0 })
  })
})

describe('fillers', () => {
  test.each([
    ['en', 'so um this is uh what we mean', ['so', 'um', 'uh']],
    ['en', 'I like this and you know that', []],
    ['en', 'this is, you know, | fine', ['you', 'know,']],
    ['en', 'yes | you know | this', ['you', 'know']],
    ['ru', 'ну | эм это как бы хорошо', ['ну', 'эм']],
    ['uk', 'ем я думаю, типу, що так', ['ем', 'типу,']],
    ['de', 'das ähm ist um acht', ['um']],
  ])('%s: %s', (language, text, expected) => {
    const { words } = sampleTranscript(text)
    const found = [...findFillers(words, language)].sort((one, other) => one - other)
    expect(found.map((position) => words[position]?.text)).toEqual(expected)
  })

  test('are removed with the pause around them, without affecting other words', () => {
    const words = [word('this', 1), word('um', 2), word('works', 3)]
    const { keep, fillers } = cutSpeech(
      words,
      silencesBetween(words, 4),
      { ...VIDEO, duration_seconds: 4 },
      OPTIONS,
    )
    expect(fillers).toBe(1)
    expect(keep).toEqual([
      { start: 0.8, end: 1.52 },
      { start: 2.88, end: 3.6 },
    ])
  })

  test('are kept if there is no other speech', () => {
    const words = [word('um', 1), word('uh', 2)]
    expect(cutSpeech(words, [], VIDEO, OPTIONS).keep).toEqual([{ start: 0, end: 20 }])
  })

  test('at the start are removed, but not the music before them', () => {
    const words = [word('um', 6), word('hello', 6.6)]
    const { keep } = cutSpeech(words, [], { ...VIDEO, duration_seconds: 7 }, OPTIONS)
    expect(keep[0]).toEqual({ start: 0, end: 6 })
  })
})

describe('retakes', () => {
  test.each([
    ['today we talk about | today we talk about cats', 'today we talk about'],
    ['today we tok about | today we talk about cats', 'today we tok about'],
    ['I want I want to go home', 'I want'],
    ['one two three | one two three | one two three four', 'one two three one two three'],
    ['no no no', ''],
    ['very very good', ''],
    [
      'we shall fight on the beaches | we shall fight on the landing grounds today',
      'we shall fight on the beaches',
    ],
    ['I have a dream that one day this nation will rise up | I have a dream', ''],
    ['this is good | that was bad', ''],
  ])('%s', (text, expected) => {
    const { words } = sampleTranscript(text)
    const found = [...findRetakes(words)].sort((one, other) => one - other)
    expect(found.map((position) => words[position]?.text).join(' ')).toBe(expected)
  })

  test('computes similarity as the share of equal words', () => {
    expect(similarity(['a', 'b', 'c', 'd'], ['a', 'x', 'c', 'd'])).toBe(0.75)
    expect(similarity(['a'], ['a'])).toBe(1)
    expect(similarity(['a', 'b'], ['b'])).toBe(0.5)
  })
})

const Speech = fc
  .array(
    fc.record({
      text: fc.constantFrom('um', 'we', 'talk', 'about', 'cats', 'uh', 'today'),
      seconds: fc.double({ min: 0.03, max: 0.8, noNaN: true }),
      pause: fc.oneof(fc.constant(0), fc.double({ min: 0, max: 3, noNaN: true })),
    }),
    { minLength: 1, maxLength: 60 },
  )
  .map((spoken) => {
    let at = 0
    const words = spoken.map(({ text, seconds, pause }): Word => {
      const start = at + pause
      at = start + seconds
      return { text, start, end: at }
    })
    return { words, duration_seconds: at + 1 }
  })

test('never cuts into a kept word, its padding or another cut; all cuts start and end on frames', () => {
  const options = fc.record({
    language: fc.constant('en'),
    max_pause: fc.double({ min: 0.2, max: 5, noNaN: true }),
    keep_pause: fc.double({ min: 0, max: 2, noNaN: true }),
    padding: fc.double({ min: 0, max: 1, noNaN: true }),
    remove_fillers: fc.boolean(),
    remove_retakes: fc.boolean(),
  })
  fc.assert(
    fc.property(
      Speech,
      options,
      fc.constantFrom(24, 25, 29.97, 60),
      ({ words, duration_seconds }, option, rate) => {
        const silences = silencesBetween(words, duration_seconds)
        const { keep } = cutSpeech(words, silences, { duration_seconds, frames_per_second: rate }, option)
        expect(keep.length).toBeGreaterThan(0)
        for (const [position, { start, end }] of keep.entries()) {
          expect(end).toBeGreaterThan(start)
          const next = keep[position + 1]
          if (next !== undefined) expect(next.start).toBeGreaterThan(end)
          expect(Math.abs(start * rate - Math.round(start * rate))).toBeLessThan(1e-6)
        }
        const fillers = option.remove_fillers ? findFillers(words, 'en') : new Set()
        if (option.remove_retakes || fillers.size === words.length) return
        for (const [position, { start, end }] of words.entries()) {
          if (fillers.has(position)) continue
          expect(keep.some((range) => range.start <= start + 1e-9 && range.end >= end - 1e-9)).toBe(true)
        }
      },
    ),
    { seed: 3, numRuns: 200 },
  )
})

test('the filter graph of the maximum number of cuts fits into one argument', () => {
  const words = Array.from({ length: 900 }, (_, index) => word('word', 10 + index * 8.3333))
  const duration_seconds = 8000
  const { keep, pauses } = cutSpeech(
    words,
    silencesBetween(words, duration_seconds),
    { duration_seconds, frames_per_second: 29.97 },
    { ...OPTIONS, remove_retakes: false },
  )
  expect(pauses).toBe(500)
  const pads = {
    input: '[0:0]',
    output: '[video]',
    own: (name: string) => `[a1_0_${name}]`,
    file: () => '[1:v]',
    track: 0,
  }
  expect(`${keepVideo(keep, 29.97)(pads)};${keepAudio(keep)(pads)}`.length).toBeLessThan(125_000)
})
