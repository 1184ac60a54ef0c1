import { describe, expect, test } from 'vitest'
import { auto_edit } from '../operations/video/auto_edit.ts'
import { compress } from '../operations/video/compress.ts'
import { subtitles } from '../operations/video/subtitles.ts'
import { transcribe } from '../operations/video/transcribe.ts'
import type { Facts } from '../planning/facts.ts'
import type { Operation } from '../planning/operation.ts'
import { planPipeline } from '../planning/pipeline.ts'
import { sampleProbe, sampleTranscript } from '../planning/sample-facts.ts'
import type { FfmpegStep, TextStep } from '../planning/steps.ts'
import { validateParams } from '../planning/validate.ts'

const SRT = '1\n00:00:01,000 --> 00:00:03,000\nOur own words\n'

function factsWith(changed: Partial<Facts> = {}): Facts {
  return {
    probe: sampleProbe(),
    transcript: sampleTranscript(),
    silences: [{ start: 2.5, end: 3.4 }],
    assets: {},
    ...changed,
  } as Facts
}

function planOf(operation: unknown, params: Record<string, unknown>, facts = factsWith()) {
  const valid = validateParams(operation as Operation, params)
  if ('refused' in valid) return valid
  return planPipeline([{ operation: operation as Operation, params: valid.params }], facts)
}

function stepsOf(plan: ReturnType<typeof planOf>): { text: TextStep; ffmpeg: FfmpegStep | undefined } {
  if ('refused' in plan) throw new Error(plan.refused.message.en)
  const [text] = plan.steps.filter((step) => step.kind === 'text')
  if (text === undefined) throw new Error('the plan writes no text')
  return { text, ffmpeg: plan.steps.find((step) => step.kind === 'ffmpeg') }
}

const silent = factsWith({ probe: sampleProbe({ audio: [] }) })
const wordless = factsWith({ transcript: { language: 'en', words: [] } })

test.each([transcribe, subtitles, auto_edit])('%o refuses videos without audio or speech', (operation) => {
  expect(planOf(operation, {}, silent)).toMatchObject({
    refused: { message: expect.objectContaining({ en: expect.stringMatching(/no audio/) }) },
  })
  expect(planOf(operation, {}, wordless)).toMatchObject({
    refused: { message: expect.objectContaining({ en: expect.stringMatching(/No speech/) }) },
  })
})

test.each([
  [transcribe, { format: 'docx' }, 'format'],
  [transcribe, { language: 'english' }, 'language'],
  [transcribe, { quality: 'best' }, 'quality'],
  [subtitles, { text_color: 'red}{\\an8' }, 'text_color'],
  [subtitles, { subtitles_text: 'no times' }, 'subtitles_text'],
  [subtitles, { subtitles_text: SRT, subtitles_url: 'https://example.org/a.srt' }, 'subtitles_text'],
  [subtitles, { font_size: 0 }, 'font_size'],
  [auto_edit, { max_pause: 0.1 }, 'max_pause'],
  [auto_edit, { keep_pause: 3 }, 'keep_pause'],
  [auto_edit, { task: 'translate' }, 'task'],
])('$0.key refuses $1 and names the parameter', (operation, params, field) => {
  expect(planOf(operation, params)).toMatchObject({ refused: { field } })
})

test.each(['file:///etc/passwd', 'not an address', `https://example.org/${'a'.repeat(2048)}`])(
  'refuses a URL that is not public or too long (%#)',
  (subtitles_url) => {
    expect(validateParams(subtitles, { subtitles_url })).toMatchObject({
      refused: { field: 'subtitles_url' },
    })
  },
)

describe('transcribe', () => {
  test.each([
    ['txt', 'so this is what we say\n'],
    ['srt', '1\n00:00:01,000 --> 00:00:05,450\nso this is what we say\n'],
    ['vtt', 'WEBVTT\n\n00:00:01.000 --> 00:00:05.450\nso this is what we say\n'],
  ])('writes %s', (format, content) => {
    const plan = planOf(transcribe, { format })
    expect(plan).toMatchObject({
      encode_mode: null,
      outputs: [{ file: `transcript.${format}` }],
      body: { text: 'so this is what we say', language: 'en', words: 6, duration_seconds: 10 },
    })
    expect(stepsOf(plan).text.content.replace(/\n\n2\n.*--> /s, '')).toContain(content.split('\n')[0])
  })

  test('shortens long text in the response and keeps the full text in the file', () => {
    const words = sampleTranscript(Array<string>(8000).fill('word').join(' ')).words
    const facts = factsWith({
      transcript: { language: 'en', words },
      probe: sampleProbe({ duration_seconds: 5000 }),
    })
    const plan = planOf(transcribe, {}, facts)
    expect(plan).toMatchObject({
      body: { words: 8000, text_is_cut: true, text: expect.stringMatching(/^.{20000}$/) },
    })
    expect(stepsOf(plan).text.content.match(/word/g)).toHaveLength(8000)
  })
})

describe('subtitles', () => {
  test('burn mode writes the script to a file and draws it on the encoded frames', () => {
    const plan = planOf(
      subtitles,
      { style: 'yellow', position: 'top' },
      factsWith({ probe: sampleProbe({}, { width: 3840, height: 2160 }) }),
    )
    const { text, ffmpeg } = stepsOf(plan)
    expect(plan).toMatchObject({
      encode_mode: 'encode',
      outputs: [{ file: 'subtitled.mp4' }],
      body: { words: 6 },
    })
    expect(ffmpeg?.filter_graph).toContain(`scale=1920:1080,setsar=1,ass=${text.file}`)
    expect(text.file).toMatch(/^text-[0-9a-f]+\.ass$/)
    expect(text.content).toContain('PlayResX: 1920\nPlayResY: 1080')
    expect(text.content).toContain(',&H0000E5FF,')
  })

  test.each([
    ['mov,mp4,m4a,3gp,3g2,mj2', 'h264', 'aac', 'mp4', 'srt', 'mov_text'],
    ['matroska,webm', 'h264', 'aac', 'mkv', 'srt', 'subrip'],
    ['matroska,webm', 'vp9', 'opus', 'webm', 'webvtt', 'webvtt'],
  ])('embed mode: %s with %s and %s becomes %s', (container, video, audio, extension, format, codec) => {
    const probe = sampleProbe(
      { container, audio: [{ index: 1, codec: audio, channels: 2 }], subtitles: [{ index: 2, codec }] },
      { codec: video },
    )
    const plan = planOf(subtitles, { mode: 'embed' }, factsWith({ probe }))
    expect(plan).toMatchObject({ encode_mode: 'remux', outputs: [{ file: `subtitled.${extension}` }] })
    const { ffmpeg } = stepsOf(plan)
    expect(ffmpeg?.inputs[1]?.options).toEqual(['-f', format, '-format_whitelist', format])
    // Existing subtitle tracks stay first.
    expect(ffmpeg?.output.options.join(' ')).toContain(
      `-map 0:0 -map 0:1 -map 0:2 -map 1:0 -c copy -c:s:1 ${codec} -metadata:s:s:1 language=eng -disposition:s:1 default`,
    )
  })

  test('caller-supplied subtitles need neither audio nor speech recognition', () => {
    const facts = factsWith({ probe: sampleProbe({ audio: [] }), transcript: undefined as never })
    for (const mode of ['burn', 'embed']) {
      const plan = planOf(subtitles, { mode, subtitles_text: SRT }, facts)
      expect(plan).toMatchObject({ body: { subtitles: 1 } })
      expect(stepsOf(plan).text.content).toContain('Our own words')
    }
    const params = subtitles.parameters.parse({ subtitles_url: 'https://example.org/a.srt' })
    expect(subtitles.assets?.(params)).toEqual([
      { name: 'subtitles_url', url: 'https://example.org/a.srt', kind: 'text', language: 'auto' },
    ])
    expect(subtitles.unneededFacts?.(params)).toEqual(['transcript'])
    expect(subtitles.unneededFacts?.(subtitles.parameters.parse({}))).toEqual([])
  })

  test('reads subtitles from a URL, and refuses a file without subtitles', () => {
    const file = (text: string) =>
      factsWith({
        assets: { '0-subtitles_url': { file: 'asset', width: 0, height: 0, duration_seconds: 0, text } },
      })
    const params = { subtitles_url: 'https://example.org/a.srt', mode: 'embed' }
    expect(stepsOf(planOf(subtitles, params, file(SRT))).text.content).toContain('Our own words')
    expect(planOf(subtitles, params, file('<html>'))).toMatchObject({ refused: { field: 'subtitles_url' } })
    const prose = `${SRT}${'word '.repeat(3000)}`
    expect(planOf(subtitles, params, file(prose))).toMatchObject({
      refused: {
        field: 'subtitles_url',
        message: { en: expect.stringMatching(/50000 words.*10000 characters/) },
      },
    })
  })

  test('burn mode keeps many lines together, and shows in turn what does not fit in the frame', () => {
    const draw = (lines: string[]) => {
      const subtitles_text = `00:00:01 --> 00:00:09\n${lines.join('\n')}`
      const plan = planOf(subtitles, { subtitles_text })
      const events = stepsOf(plan).text.content.match(/^Dialogue: .*/gm) ?? []
      return events.map((event) => event.split('caption,')[1]?.split('\\N') ?? [])
    }
    const six = [...'abcdef']
    expect(draw(six)).toEqual([six])
    const many = Array.from({ length: 100 }, (_, index) => `line${index}`)
    const drawn = draw(many)
    expect(drawn.length).toBeGreaterThan(1)
    expect(drawn.flat().join(' ').split(' ')).toEqual(many)
  })

  test('burned subtitles can start a pipeline; embedded ones must end it', () => {
    const stage = (operation: unknown, params: Record<string, unknown>) => {
      const valid = validateParams(operation as Operation, params)
      if ('refused' in valid) throw new Error(valid.refused.message.en)
      return { operation: operation as Operation, params: valid.params }
    }
    const burnt = planPipeline([stage(subtitles, {}), stage(compress, {})], factsWith())
    expect(burnt).toMatchObject({ encode_mode: 'encode', body: { subtitles: 2 } })
    const soft = planPipeline([stage(subtitles, { mode: 'embed' }), stage(compress, {})], factsWith())
    expect(soft).toMatchObject({ refused: { field: 'operations' } })
  })
})

describe('auto_edit', () => {
  test('cuts video and audio at the same frame boundaries, in one run', () => {
    const plan = planOf(auto_edit, { keep_pause: 0.2, padding: 0.05 })
    expect(plan).toMatchObject({
      encode_mode: 'encode',
      body: { cuts: 1, pauses: 1, fillers: 0, retakes: 0, removed_seconds: 0.68, language: 'en' },
    })
    if ('refused' in plan) return
    const [step] = plan.steps
    const graph = step?.kind === 'ffmpeg' ? (step.filter_graph ?? '') : ''
    expect(graph).toContain(
      "fps=25:start_time=0,select='if(lt(t,3.26),gte(t,0)*lt(t,2.58),gte(t,3.26)*lt(t,9.98))',setpts=N/(25*TB),fps=25",
    )
    expect(graph).toContain('atrim=start=0:end=2.6,')
    expect(graph).toContain('atrim=start=3.28:end=10,')
    expect(step).toMatchObject({ output_duration_seconds: expect.closeTo(9.32) })
  })

  test('keeps everything if there is nothing to cut', () => {
    const plan = planOf(auto_edit, {}, factsWith({ silences: [] }))
    expect(plan).toMatchObject({ body: { cuts: 0, removed_seconds: 0 } })
  })
})
