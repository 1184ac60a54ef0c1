import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { writeCsv } from '../../links/csv.ts'
import { readLinkInfo, refuseLink } from '../../links/info.ts'
import type { Operation } from '../../planning/operation.ts'
import { sampleLink, sampleProbe, sampleTranscript } from '../../planning/sample-facts.ts'
import { validateParams } from '../../planning/validate.ts'
import { download_audio } from './download_audio.ts'
import { download_video } from './download_video.ts'
import { LINK_OPERATIONS } from './index.ts'
import { link_captions } from './link_captions.ts'
import { link_info } from './link_info.ts'
import { link_transcribe } from './link_transcribe.ts'

const url = 'https://example.com/watch?v=1'
const comments = [
  { id: '1', parent: 'root', author: '@=cmd', text: '=1+1, "x"', like_count: -3, timestamp: 0 },
  { id: '2', parent: '1', author: 'b', text: 'two\nlines', author_is_uploader: true },
]
const LINK = sampleLink({
  ...{ view_count: 1000, like_count: 50, comment_count: 10, upload_date: '20260101', comments },
  ...{ channel_follower_count: 500, subtitles: { en: [{ ext: 'vtt' }, { ext: 'srv1' }] } },
})

function linkInfo(params: Record<string, unknown>) {
  const plan = link_info.plan({
    params: link_info.parameters.parse({ url, ...params }),
    facts: { link: LINK },
  })
  if ('refused' in plan) throw new Error(plan.refused.message.en)
  const [step] = plan.steps
  return { ...plan, content: step?.kind === 'text' ? step.content : '' }
}

test.each([
  [{ extractor_key: 'HTML5MediaEmbed', id: 'page-1', title: 'A page (1)' }, 'A page'],
  [{ extractor_key: 'HTML5MediaEmbed', id: 'page-1', title: 'A page (1) (1)' }, 'A page (1)'],
  [{ extractor_key: 'HTML5MediaEmbed', id: 'page', title: 'A page (1)' }, 'A page (1)'],
  [{ extractor_key: 'Generic', id: 'page-1', title: 'Part (1)' }, 'Part (1)'],
])('names %j as %s', (answer, title) => {
  expect(readLinkInfo(answer).title).toBe(title)
})

describe('link_info', () => {
  test('returns the requested sections; comments are only in the file', () => {
    const { content, body } = linkInfo({
      include: ['stats', 'analytics', 'subtitles', 'comments'],
      comment_limit: 1,
    })
    const all = JSON.parse(content)
    expect(Object.keys(all)).toEqual(['fetched_at', 'stats', 'analytics', 'subtitles', 'comments'])
    expect(all.analytics).toMatchObject({ age_days: 10, views_per_day: 100, engagement_percent: 6 })
    expect(all.subtitles).toEqual([
      { language: 'en', name: null, automatic: false, formats: ['vtt', 'srv1'] },
    ])
    expect(all.comments).toHaveLength(1)
    expect(body).toMatchObject({ stats: { views: 1000, likes: 50 }, comments_count: 1 })
    expect(JSON.stringify(body)).not.toContain('1+1')
  })

  test('neutralizes formulas in the comments table', () => {
    const { content, outputs } = linkInfo({ include: ['info', 'comments'], format: 'csv' })
    expect(outputs).toEqual([{ file: 'link.csv' }])
    expect(content).toBe(
      'id,reply_to,author,author_id,is_uploader,is_pinned,likes,published_at,text\r\n' +
        `1,,'@=cmd,,,,-3,1970-01-01T00:00:00.000Z,"'=1+1, ""x"""\r\n` +
        '2,1,b,,true,,,,"two\nlines"\r\n',
    )
  })

  test('writes a table of statistics if comments are not requested', () => {
    expect(linkInfo({ format: 'csv' }).content).toMatch(/^url,title,views,.*\r\n,A video,1000,50,/)
  })

  test.each([
    [{ comment_limit: 0 }, 'comment_limit'],
    [{ comment_limit: 501 }, 'comment_limit'],
    [{ include: ['cookies'] }, 'include'],
    [{ format: 'xml' }, 'format'],
    [{ url: 'file:///etc/passwd' }, 'url'],
    [{ url: `${url}#__youtubedl_smuggle=%7B%7D` }, 'url'],
  ])('refuses %j and names the parameter', (params, field) => {
    expect(validateParams(link_info, { url, ...params })).toMatchObject({ refused: { field } })
  })

  test('downloads comments only if requested', () => {
    const request = (params: object) => link_info.link?.(link_info.parameters.parse({ url, ...params }))
    expect(request({})).toMatchObject({ media: null, comments_max: 0 })
    expect(request({ include: ['comments'], comment_limit: 7 })).toMatchObject({ comments_max: 7 })
  })
})

/** Parses the only cell of a table according to RFC 4180. */
function readCell(table: string): string {
  const cell = table.slice('\r\n'.length, -'\r\n'.length)
  return cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell
}

describe('values from site responses', () => {
  test('are always readable and bounded', () => {
    const keys = Object.keys(readLinkInfo({}))
    const answer = fc.dictionary(fc.constantFrom(...keys), fc.jsonValue())
    fc.assert(
      fc.property(answer, (given) => {
        const link = sampleLink(given)
        const params = link_info.parameters.parse({
          url,
          include: ['info', 'formats', 'comments', 'analytics'],
        })
        expect(link_info.plan({ params, facts: { link } })).toHaveProperty('steps')
      }),
    )
    const long = readLinkInfo({
      description: 'x'.repeat(1e6),
      comments: Array(2000).fill({ text: 'y'.repeat(1e5) }),
    })
    expect(long.description).toHaveLength(5000)
    expect(long.comments).toHaveLength(500)
    expect(long.comments[0]?.text).toHaveLength(10_000)
  })

  test('a cell is read back as written, except for the apostrophe before a formula', () => {
    const unit = fc.constantFrom(...'=+-@;|,\t\r\n"\'a ')
    fc.assert(
      fc.property(fc.string({ unit }), (text) => {
        const cell = readCell(writeCsv([], [[text]]))
        expect(cell.replaceAll("'", '')).toBe(text.replaceAll("'", ''))
        expect(cell).not.toMatch(/^[=+\-@\t\r\n]/)
      }),
    )
    expect(readCell(writeCsv([], [['say "no", - or; not']]))).toBe('say "no", - or; not')
  })

  test.each([';', '|', '\t'])('no cell is a formula in a spreadsheet that splits at %j', (separator) => {
    const unit = fc.constantFrom(separator, ...'=+-@"\r\n,a ')
    fc.assert(
      fc.property(fc.string({ unit }), (text) => {
        const cells = writeCsv(['name', 'text'], [['Ada', text]]).split(new RegExp(`[\r\n${separator}]`))
        for (const cell of cells) expect(cell).not.toMatch(/^["\s]*[=+\-@]/)
      }),
    )
  })

  test('quotes a cell with a comma, a quote or a line break', () => {
    expect(
      writeCsv(
        ['a', 'b'],
        [
          ['x,y', 'say "no"'],
          ['two\nlines', -1],
        ],
      ),
    ).toBe('a,b\r\n"x,y","say ""no"""\r\n"two\nlines",-1\r\n')
  })
})

test.each([
  [{ _type: 'playlist' }, {}, 'link_to_list'],
  [{ _type: 'multi_video' }, {}, 'link_to_list'],
  [{}, { is_live: true }, 'link_to_live'],
  [{}, { live_status: 'is_upcoming' }, 'link_to_live'],
  [{ _type: 'video' }, { live_status: 'was_live' }, null],
  [{}, {}, null],
])('%j %j: refusal %s', (answer, given, reason) => {
  expect(refuseLink(answer, readLinkInfo(given))).toBe(reason)
})

test('disables everything but link_info by default', () => {
  const off = LINK_OPERATIONS.filter((operation) => (operation as Operation).enabled_by_default === false)
  expect(off.map(({ key }) => key)).toEqual(
    LINK_OPERATIONS.map(({ key }) => key).filter((key) => key !== 'link_info'),
  )
})

test.each([
  [{}, 'remux', 'trimmed.mp4'],
  [{ start: 2, duration: 3 }, 'remux', 'trimmed.mp4'],
])('download_video %j does not encode', (params, mode, file) => {
  const plan = download_video.plan({
    params: download_video.parameters.parse({ url, ...params }),
    facts: { link: LINK, lead_seconds: 0 },
  })
  expect(plan).toMatchObject({ encode_mode: mode, outputs: [{ file }], input_name: 'A video' })
})

test.each([
  ['aac', 'best', 'audio.m4a'],
  ['opus', 'best', 'audio.opus'],
  ['mp3', 'mp3', 'audio.mp3'],
  ['vorbis', 'best', 'audio.ogg'],
  ['ac3', 'best', 'audio.mkv'],
])('download_audio of %s as %s: %s', (codec, audio_format, file) => {
  const media = sampleProbe({ audio: [{ index: 1, codec, channels: 2 }] })
  const params = download_audio.parameters.parse({ url, audio_format })
  expect(download_audio.plan({ params, facts: { link: { ...LINK, media } } })).toMatchObject({
    encode_mode: 'remux',
    outputs: [{ file }],
  })
})

const transcript = sampleTranscript()

test('refuses links without video, audio or speech', () => {
  const deaf = { ...LINK, media: sampleProbe({ audio: [] }) }
  const blind = { ...LINK, media: { ...sampleProbe(), video: null } }
  const params = { url }
  const refusals = [
    download_video.plan({
      params: download_video.parameters.parse(params),
      facts: { link: blind, lead_seconds: 0 },
    }),
    download_audio.plan({ params: download_audio.parameters.parse(params), facts: { link: deaf } }),
    link_captions.plan({
      params: link_captions.parameters.parse(params),
      facts: { link: blind, transcript },
    }),
    link_transcribe.plan({
      params: link_transcribe.parameters.parse(params),
      facts: { link: deaf, transcript },
    }),
    link_transcribe.plan({
      params: link_transcribe.parameters.parse(params),
      facts: { link: LINK, transcript: { language: 'en', words: [] } },
    }),
  ]
  for (const refusal of refusals) expect(refusal).toHaveProperty('refused')
})
