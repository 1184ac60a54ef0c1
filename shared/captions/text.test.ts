import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cleanText } from '../text/characters.ts'
import { assColor, assScript, contentFile, escapeAss } from './ass.ts'
import { writeScript } from './ass-script.ts'
import { fitText, LINE_HEIGHT_EM, widthOf, wrapText } from './text.ts'

const box = { width: 600, height: 400, size_max: 80, size_comfortable: 40, lines_max: 5 }

describe('line wrapping', () => {
  test.each([
    ['one two three', 4.5, ['one two', 'three']],
    ['one\ntwo', 100, ['one', 'two']],
    ['one\n\ntwo', 100, ['one', '', 'two']],
    ['今日の東京はとても暑い', 4, ['今日の', '東京は', 'とても', '暑い']],
    ['  leading', 100, ['  leading']],
    ['', 10, ['']],
  ])('wraps %j at %s em into %j', (text, width, lines) => {
    expect(wrapText(text, width)).toEqual(lines)
  })

  test('breaks an overlong word only if allowed', () => {
    expect(wrapText('incomprehensibilities', 5)).toBeNull()
    expect(wrapText('incomprehensibilities', 5, true)?.every((line) => widthOf(line) <= 5)).toBe(true)
  })
})

describe('fitting text into a box', () => {
  test('makes a short text as large as possible, on one line', () => {
    expect(fitText('Hello', box)).toEqual({ lines: ['Hello'], size: 80 })
  })

  test('wraps a long text before shrinking it, into lines of similar length', () => {
    const { lines, size } = fitText('How I built a media service in a single weekend', box)
    expect(size).toBeGreaterThanOrEqual(40)
    const widths = lines.map(widthOf)
    expect(Math.min(...widths) / Math.max(...widths)).toBeGreaterThan(0.6)
  })

  test('breaks a word that is wider than the box instead of making it tiny', () => {
    const { lines, size } = fitText('W'.repeat(100), box)
    expect(lines.length).toBeGreaterThan(1)
    expect(size).toBeGreaterThan(20)
  })

  test('keeps all line breaks of the input', () => {
    expect(fitText('a\nb\nc\nd\ne\nf\ng', box).lines).toHaveLength(7)
    const { lines, size } = fitText(Array(150).fill('a').join('\n'), box)
    expect(lines.length * size * LINE_HEIGHT_EM).toBeLessThanOrEqual(400.001)
  })

  test('keeps any text within the box, without losing characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (typed) => {
        const text = cleanText(typed)
        const { lines, size } = fitText(text, box)
        expect(lines.join('').replace(/\s/g, '')).toBe(text.replace(/\s/g, ''))
        expect(size).toBeLessThanOrEqual(80)
        expect(lines.length * size * LINE_HEIGHT_EM).toBeLessThanOrEqual(400.001)
        for (const line of lines) expect(widthOf(line) * size).toBeLessThanOrEqual(600.001)
      }),
    )
  })
})

describe('ASS scripts', () => {
  test.each([
    ['{\\b1}bold', '\\{\\\u2060b1\\}bold'],
    ['a\\Nb', 'a\\\u2060Nb'],
    ['line\nDialogue: 0', 'line\\NDialogue: 0'],
    ['a\r\nb', 'a\\Nb'],
    ['tab\there\u0000\u001b', 'tab here'],
    ['\ud800half', '\ufffdhalf'],
  ])('escapes %j as %j', (text, escaped) => {
    expect(escapeAss(text, 20)).toBe(escaped)
  })

  test('text never adds a line, an override block or an escape to a script', () => {
    const style = { size: 20, color: '#ffffff', opacity: 1, bold: true, outline: 1, shadow: 0 }
    const scriptOf = (line: string) =>
      writeScript(
        assScript({ width: 640, height: 360 }, [
          { anchor: 5, x: 1, y: 2, parts: [{ style, lines: [line] }] },
        ]),
      )
    const lines = scriptOf('plain').split('\n').length
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('{', '}', '\\', 'N', 'n', 'h', ',', '\n', '\r', ' ', 'é') }),
        (typed) => {
          const script = scriptOf(typed)
          expect(script.split(/\r|\n/)).toHaveLength(lines)
          const text = script.split('{\\rs0}').at(-1)?.trimEnd() ?? ''
          expect(text.replaceAll(/\\[{}Nh]|\\\u2060/g, '')).not.toMatch(/[{}\\]/)
        },
      ),
    )
  })

  test.each([
    ['#ff8000', 1, '&H000080FF'],
    ['#ffffff', 0, '&HFFFFFFFF'],
    ['#000000', 0.5, '&H80000000'],
  ])('%s at opacity %s is %s', (color, opacity, written) => {
    expect(assColor(color, opacity)).toBe(written)
  })

  test('names a script file by its content', () => {
    expect(contentFile('one', 'ass')).toMatch(/^text-[0-9a-f]{8}\.ass$/)
    expect(contentFile('one', 'ass')).not.toBe(contentFile('two', 'ass'))
  })
})
