import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findSilences } from '../speech/silences.ts'
import { writeScript } from './ass-script.ts'
import { type CaptionLook, captionCharactersMax, captionScript } from './caption-script.ts'
import type { Cue } from './cues.ts'
import { writeJson, writeSrt, writeText, writeVtt } from './write.ts'

const cue = (text: string, start = 1, end = 3.5): Cue => ({
  start,
  end,
  lines: text.split('\n').map((line) => line.split(' ').map((word) => ({ text: word, start, end }))),
})

test('writes srt, vtt, txt and json', () => {
  const cues = [cue('Hello you\nout there'), cue('a < b & c', 3725.0004, 3726.9996)]
  expect(writeSrt(cues)).toBe(
    '1\n00:00:01,000 --> 00:00:03,500\nHello you\nout there\n\n2\n01:02:05,000 --> 01:02:07,000\na < b & c\n',
  )
  expect(writeVtt(cues)).toBe(
    'WEBVTT\n\n00:00:01.000 --> 00:00:03.500\nHello you\nout there\n\n01:02:05.000 --> 01:02:07.000\na &lt; b &amp; c\n',
  )
  const words = [
    { text: 'One.', start: 0, end: 0.5 },
    { text: 'Two.', start: 4, end: 4.51234 },
  ]
  expect(writeText(words)).toBe('One.\n\nTwo.\n')
  expect(JSON.parse(writeJson({ language: 'en', words }, [], 9))).toEqual({
    language: 'en',
    duration_seconds: 9,
    text: 'One. Two.',
    segments: [],
  })
})

test('never turns transcribed text into a tag, an override or a timestamp', () => {
  const said = [cue('<b>bold</b> {\\an8}up --> 00:00:01,000')]
  expect(writeSrt(said)).not.toMatch(/<b>|\{\\an8|up -->/)
  expect(writeVtt(said)).not.toMatch(/<b>|up -->/)
})

describe('captions', () => {
  const look: CaptionLook = { style: 'karaoke', position: 'bottom', uppercase: false }
  const frame = { width: 1280, height: 720 }

  test('karaoke gives every word its duration in centiseconds, including pauses', () => {
    const words = [
      { text: 'so', start: 1, end: 1.3 },
      { text: 'it', start: 1.5, end: 1.704 },
      { text: 'is', start: 1.704, end: 2 },
    ]
    const script = captionScript(
      [{ start: 1, end: 2.4, lines: [words.slice(0, 2), words.slice(2)] }],
      look,
      frame,
    )
    expect(writeScript(script)).toContain(
      'Dialogue: 0:00:01.00,0:00:02.40,caption,{\\k30}so {\\k20}{\\k20}it\\N{\\k30}is',
    )
  })

  test('never turns transcribed text into an override, an escape or another event', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('\\', '{', '}', 'N', 'k', '\n', ',', 'a', 'n8') }),
        (text) => {
          const said = [{ start: 0, end: 1, lines: [[{ text: `x${text}`, start: 0, end: 1 }]] }]
          const script = writeScript(captionScript(said, { ...look, style: 'clean' }, frame))
          const [, event = ''] = script.split('caption,').slice(-2)
          expect(script.match(/^Dialogue:/gm)).toHaveLength(1)
          expect(event.replaceAll('\\{', '').replaceAll('\\}', '')).not.toMatch(/[{}]/)
        },
      ),
      { seed: 5 },
    )
  })

  test.each([
    [{}, { width: 1920, height: 1080 }, 42],
    [{}, { width: 1080, height: 1920 }, 21],
    [{ uppercase: true }, { width: 1080, height: 1920 }, 16],
    [{ font_size: 20 }, { width: 1080, height: 1920 }, 8],
  ])('%j on %j has at most %i characters per line', (changed, size, expected) => {
    expect(captionCharactersMax({ ...look, ...changed }, size, 42)).toBe(expected)
  })
})

describe('silence detection', () => {
  const windows = (...parts: [count: number, level: number][]) =>
    parts.flatMap(([count, level]) => Array<number>(count).fill(level))

  test.each([
    ['in a studio', -90, -20],
    ['in a noisy room', -45, -15],
  ])('finds silences %s', (_, quiet, loud) => {
    const levels = windows([50, loud], [50, quiet], [50, loud], [5, quiet], [50, loud])
    expect(findSilences(levels)).toEqual([{ start: 1, end: 2 }])
  })

  test('finds none at constant loudness', () => {
    expect(findSilences(windows([200, -20]))).toEqual([])
    expect(findSilences([])).toEqual([])
  })

  test('finds one silence in a silent track', () => {
    expect(findSilences(windows([100, -101]))).toEqual([{ start: 0, end: 2 }])
  })
})
