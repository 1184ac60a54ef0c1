import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Cue } from './cues.ts'
import { readSubtitles, SUBTITLE_LIMITS } from './read.ts'
import { writeSrt, writeVtt } from './write.ts'

type Read = [start: number, end: number, text: string]

const read = (text: string): Read[] =>
  (readSubtitles(text) ?? []).map(({ start, end, lines }) => [
    start,
    end,
    lines.map((line) => line.map((word) => word.text).join(' ')).join('|'),
  ])

const lines = (...parts: string[]) => parts.join('\n')
const TWO: Read[] = [
  [1, 2, 'Hello'],
  [3, 4, 'World'],
]

describe('finds the cues of', () => {
  test.each<[string, string, Read[]]>([
    [
      'SubRip',
      '1\r\n00:00:01,000 --> 00:00:02,000\r\nHello\r\n\r\n2\r\n00:00:03,000 --> 00:00:04,000\r\nWorld',
      TWO,
    ],
    [
      'cues without empty lines between them',
      lines('1', '00:00:01,000 --> 00:00:02,000', 'Hello', '2', '00:00:03,000 --> 00:00:04,000', 'World'),
      TWO,
    ],
    [
      'cues without numbers',
      lines('00:00:01,000 --> 00:00:02,000', 'Hello', '', '00:00:03,000 --> 00:00:04,000', 'World'),
      TWO,
    ],
    [
      'cues with neither',
      lines('00:00:01,000 --> 00:00:02,000', 'Hello', '00:00:03,000 --> 00:00:04,000', 'World'),
      TWO,
    ],
    [
      'cues out of order',
      lines('2', '00:00:03,000 --> 00:00:04,000', 'World', '', '1', '00:00:01,000 --> 00:00:02,000', 'Hello'),
      TWO,
    ],
    [
      'line ends of a carriage return',
      '1\r00:00:01,000 --> 00:00:02,000\rHello\r\r2\r00:00:03,000 --> 00:00:04,000\rWorld\r',
      TWO,
    ],
    [
      'line ends with two carriage returns',
      '1\r\r\n00:00:01,000 --> 00:00:02,000\r\r\nHello\r\r\n\r\r\n2\r\r\n00:00:03,000 --> 00:00:04,000\r\r\nWorld',
      TWO,
    ],
    [
      'joined files, with a byte order mark in the middle',
      '\uFEFF1\n00:00:01,000 --> 00:00:02,000\nHello\n\n\uFEFF1\n00:00:03,000 --> 00:00:04,000\nWorld\n',
      TWO,
    ],
    [
      'a name instead of a number',
      lines('first', '00:01.000 --> 00:02.000', 'Hello', '', 'second', '00:03.000 --> 00:04.000', 'World'),
      TWO,
    ],
    [
      'empty cues between them',
      lines(
        '1',
        '00:00:01,000 --> 00:00:02,000',
        'Hello',
        '',
        '2',
        '00:00:02,000 --> 00:00:02,500',
        '',
        '3',
        '00:00:03,000 --> 00:00:04,000',
        'World',
      ),
      TWO,
    ],
    [
      'a text with empty lines',
      lines(
        '1',
        '00:00:01,000 --> 00:00:02,000',
        'Hello',
        '',
        'you',
        ' ',
        '2',
        '00:00:03,000 --> 00:00:04,000',
        'World',
        '',
        '2',
      ),
      [
        [1, 2, 'Hello|you'],
        [3, 4, 'World|2'],
      ],
    ],
    ['many lines', lines('00:00:01,000 --> 00:00:02,000', ...'abcdefgh'), [[1, 2, 'a|b|c|d|e|f|g|h']]],
    [
      'a text that ends with a number',
      lines('00:00:01,000 --> 00:00:02,000', 'How many?', '12', '', '00:00:03,000 --> 00:00:04,000', 'World'),
      [
        [1, 2, 'How many?|12'],
        [3, 4, 'World'],
      ],
    ],
  ])('%s', (_, text, expected) => expect(read(text)).toEqual(expected))
})

describe('finds the cues of WebVTT', () => {
  test.each<[string, string, Read[]]>([
    [
      'with a title, notes, styles, and identifiers',
      lines(
        '\uFEFFWEBVTT - title',
        '',
        'NOTE',
        'no cue',
        '',
        'STYLE',
        '00:00.000 -- > 00:01.000',
        '::cue { color: red }',
        '',
        'first',
        '00:01.000 --> 00:02.000 line:0 align:start',
        'Hello',
        '',
        'NOTE no text',
        '',
        'second',
        '00:00:03.000 --> 00:00:04.000',
        'World',
      ),
      TWO,
    ],
    [
      'with cues in the header',
      lines('WEBVTT', '00:01.000 --> 00:02.000', 'Hello', '', '00:03.000 --> 00:04.000', 'World'),
      TWO,
    ],
    [
      'with arrows that are no times',
      lines(
        'WEBVTT',
        '',
        '-->',
        '00:01.000 --> 00:02.000',
        'Hello',
        'x-->',
        '00:03.000 --> 00:04.000',
        'World',
        '',
        '00:05.000 -a -->',
        '',
        '00:05.000 -- -->',
      ),
      TWO,
    ],
    [
      'with a text whose number the standard shows',
      lines('WEBVTT', '', '00:01.000 --> 00:02.000', 'Hello', '2', '00:03.000 --> 00:04.000', 'World'),
      [
        [1, 2, 'Hello|2'],
        [3, 4, 'World'],
      ],
    ],
    [
      'with tabs, form feeds and spaces',
      'WEBVTT\n\n\t\f00:01.000\t-->\f00:02.000 \n   Hello\n\n00:03.000-->00:04.000\nWorld',
      TWO,
    ],
    [
      'with null characters',
      'WEBVTT\n\n00:01.000\0 --> 00:02.000\nno\n\n00:01.000 --> 00:02.000 align\0:end\n\0text',
      [[1, 2, '\uFFFDtext']],
    ],
    [
      'with cues that are never shown',
      lines(
        'WEBVTT',
        '',
        '00:01.000 --> 00:01.000',
        'a',
        '',
        '00:01.000 --> 00:00.999',
        'b',
        '',
        '00:01.000 --> 00:02.000',
        'Hello',
      ),
      [[1, 2, 'Hello']],
    ],
  ])('%s', (_, text, expected) => expect(read(text)).toEqual(expected))
})

describe('finds the dialogue of ASS', () => {
  const head = lines(
    '\uFEFF[Script Info]',
    'ScriptType: v4.00+',
    '',
    '[V4+ Styles]',
    'Format: Name, Fontname, Fontsize',
    'Style: Default,Arial,20',
    '',
    '[Events]',
  )
  test.each<[string, string, Read[]]>([
    [
      'with overrides, commas and line breaks',
      lines(
        head,
        'Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text',
        'Comment: 0,0:00:00.00,0:00:09.00,Default,,0,0,0,,no',
        'Dialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,{\\an8}Hello, {a note}you\\Nout\\hthere',
        'Dialogue: 0,0:00:03.00,0:00:04.00,Default,,0,0,0,,{\\p1}m 0 0 l 9 9{\\p0}',
        'Dialogue: 0,1:00:03.50,1:00:04.00,Default,,0,0,0,,<i> &amp; x',
      ),
      [
        [1, 2, 'Hello, you|out there'],
        [3603.5, 3604, '<i> &amp; x'],
      ],
    ],
    [
      'in another order',
      lines(head, 'Format: Start, End, Text', 'Dialogue: 0:00:01.00,0:00:02.00,Hello'),
      [[1, 2, 'Hello']],
    ],
  ])('%s', (_, text, expected) => expect(read(text)).toEqual(expected))
})

test.each<[string, number, number]>([
  ['00:00:01 --> 00:00:03', 1, 3],
  ['0:1:2.5 --> 0:1:3,25', 62.5, 63.25],
  ['00:00:01.5 --> 00:00:02.123456', 1.5, 2.123456],
  ['1:02 --> 1:05', 62, 65],
  ['04:48,460 --> 04:52,364', 288.46, 292.364],
  ['00:00:01:000 -> 00:00:03:000', 1, 3],
  ['00.00.02,000 --> 00.00.04,000', 2, 4],
  ['00: 00: 01, 000 - -> 00:00:02,000', 1, 2],
  ['\u202a00:00:01,000\u202c —> 00:00:02,000', 1, 2],
  ['00:00:01،000 --> 00:00:02،000', 1, 2],
  ['００：００：０１，０００ --> ００：００：０２，０００', 1, 2],
  ['7 00:00:01,000 --> 00:00:02,000', 1, 2],
  ['-00:00:01,000 --> 00:00:02,000', 0, 2],
  ['00:00:01,000-->00:00:03,000 X1:100 X2:200 Y1:10 Y2:20', 1, 3],
  ['123:00:00,000 --> 123:00:01,000', 442_800, 442_801],
])('%s is from %d to %d seconds', (timing, start, end) => {
  expect(read(`1\n${timing}\ntext`)).toEqual([[start, end, 'text']])
})

test.each<[written: string, shown: string]>([
  ['Hello\tworld, x < y and y > z', 'Hello world, x < y and y > z'],
  ['a<b and c>d, x <y and y> z, I <3 you', 'a<b and c>d, x <y and y> z, I <3 you'],
  ['Change 4:3 -> 16:9', 'Change 4:3 -> 16:9'],
  ['Don&#39;t &amp; can&apos;t caf&eacute; &lt;i&gt; &notanentity;', "Don't & can't café <i> &notanentity;"],
  ['<v Марія Müller>Hello', 'Hello'],
  ['<v.loud O&apos;Neil>Hello</v>', 'Hello'],
  ['<font face="A, B" color=#fff>Hello</font>', 'Hello'],
  ['<c.class.yellow>Hello</c> <00:01.500><c> you</c>', 'Hello you'],
  ['<lang en-GB>Hello</lang><ruby>x<rt>y</rt></ruby>', 'Helloxy'],
  ["< u><i>Elephant's < s>Dream< /  i > Is Long</s></xyz>", "Elephant's Dream Is Long"],
  ['one<br/>two<BR>three', 'one|two|three'],
  ['{\\an8}Hello {\\i1}you{\\i0} {sic}', 'Hello you {sic}'],
  ['a\u001bb\u2060c&#0;', 'abc\uFFFD'],
])('%j is shown as %j', (written, shown) => {
  expect(read(`1\n00:00:01,000 --> 00:00:02,000\n${written}`)).toEqual([[1, 2, shown]])
})

test.each([
  '',
  'Hello',
  '{"a":1}',
  '1\n2\n3',
  '00:00:03,000 --> 00:00:01,000\nbackwards',
  '00:00:01,000 --> 00:00:02,000\n<i></i>',
  '[Script Info]\n[Events]\nDialogue: what',
])('%j contains no subtitles', (text) => expect(readSubtitles(text)).toEqual([]))

test('spreads the time of a subtitle over its words, and ends with the video', () => {
  const [cue] = readSubtitles('00:00:01,000 --> 00:00:05,000\nab ab\nab', 4) ?? []
  expect(cue?.lines.map((line) => line.map(({ start, end }) => [start, end]))).toEqual([
    [
      [1, 2],
      [2, 3],
    ],
    [[3, 4]],
  ])
})

describe('limits', () => {
  const cue = (text: string) => `00:00:01,000 --> 00:00:02,000\n${text}\n\n`

  test('refuses too many words, and subtitles that are prose', () => {
    expect(readSubtitles(cue('a '.repeat(1000)).repeat(SUBTITLE_LIMITS.words_max / 1000))).toHaveLength(50)
    expect(readSubtitles(cue('a '.repeat(1000)).repeat(SUBTITLE_LIMITS.words_max / 1000 + 1))).toBeNull()
    expect(readSubtitles(cue('a'.repeat(SUBTITLE_LIMITS.cue_characters_max + 1)))).toBeNull()
  })

  test('splits a word that is longer than any line', () => {
    const [{ lines: [line = []] = [] } = {} as Partial<Cue>] = readSubtitles(cue('a'.repeat(450))) ?? []
    expect(line.map(({ text }) => text.length)).toEqual([200, 200, 50])
  })

  test.each([
    '<a ',
    '<v a',
    '{\\',
    '\n ',
    '\r',
    '00:00:01,000 --> ',
    '0:',
    '0',
    'a ',
    '&',
    '&#',
    '1\n',
    '[events]\n',
    'Dialogue: ',
    '->',
    '< ',
  ])('%j repeated to a million characters is read quickly', (part) => {
    const started = performance.now()
    for (const head of ['', 'WEBVTT\n\n', '[Events]\n'])
      readSubtitles(`${head}00:00:01,000 --> 00:00:02,000\n${part.repeat(1_000_000 / part.length)}`)
    expect(performance.now() - started).toBeLessThan(15_000)
  })
})

test('reads back what the service writes', () => {
  const Text = fc.array(fc.stringMatching(/^[a-zA-Zäß&<>/;#"'.]{1,9}$/), { minLength: 1, maxLength: 6 })
  fc.assert(
    fc.property(fc.array(Text, { minLength: 1, maxLength: 5 }), (texts) => {
      const cues = texts.map((text, index) => ({
        ...{ start: index * 2, end: index * 2 + 1.5 },
        lines: [text.map((word) => ({ text: word, start: index * 2, end: index * 2 + 1.5 }))],
      }))
      for (const written of [writeSrt(cues), writeVtt(cues)])
        expect(read(written).map(([, , text]) => text)).toEqual(texts.map((text) => text.join(' ')))
    }),
    { seed: 5 },
  )
})
