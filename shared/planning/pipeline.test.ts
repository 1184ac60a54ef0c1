import { expect, test } from 'vitest'
import { findOperation } from '../operations/index.ts'
import type { ServiceSlug } from './operation.ts'
import { chainRole, planPipeline, refuseStages, type Stage } from './pipeline.ts'
import { sampleImage, sampleProbe } from './sample-facts.ts'
import { validateParams } from './validate.ts'

const facts = { probe: sampleProbe(), image: sampleImage(), assets: {} }

function stage(address: string, params: Record<string, unknown> = {}): Stage {
  const [service, key] = address.split('/') as [ServiceSlug, string]
  const operation = findOperation(service, key)
  if (operation === undefined) throw new Error(`there is no ${address}`)
  const valid = validateParams(operation, params)
  if ('refused' in valid) throw new Error(valid.refused.message.en)
  return { operation, params: valid.params }
}

/** Formats the kind and files of each step: "ffmpeg source > edited.mp4". */
function lines(...stages: [Stage, ...Stage[]]): string[] {
  const plan = planPipeline(stages, facts as never)
  if ('refused' in plan) return [`${plan.refused.field}: ${plan.refused.message.en}`]
  return plan.steps.map((step) => {
    if (step.kind === 'ffmpeg') return `ffmpeg ${step.inputs.map(({ file }) => file)} > ${step.output.file}`
    return step.kind === 'image' ? `image ${step.input} > ${step.output.file}` : step.kind
  })
}

test('plans a single stage like the operation alone', () => {
  expect(lines(stage('video/trim', { duration: 2 }))).toEqual(['ffmpeg source > trimmed.mp4'])
})

const EMBED = { mode: 'embed', subtitles_text: '1\n00:00:00,000 --> 00:00:01,000\nHi\n' }

test('refuses embedded subtitles before other operations, for any video', () => {
  const stages = [stage('video/subtitles', EMBED), stage('video/mute')]
  expect(refuseStages(stages)).toMatchObject({ refused: { field: 'operations' } })
  expect(refuseStages([stage('video/subtitles', { ...EMBED, mode: 'burn' }), stage('video/mute')])).toBeNull()
})

test('embeds subtitles at the end into the edited file', () => {
  const stages: [Stage, Stage] = [stage('video/rotate'), stage('video/subtitles', EMBED)]
  expect(refuseStages(stages)).toBeNull()
  expect(lines(...stages)).toEqual([
    'ffmpeg source > edited.mp4',
    'text',
    'ffmpeg edited.mp4,captions.srt > subtitled.mp4',
  ])
  expect(planPipeline(stages, facts as never)).toMatchObject({ encode_mode: 'encode' })
})

test('plans consecutive edits as one ffmpeg run', () => {
  const stages = lines(stage('video/rotate'), stage('video/resize', { width: 640 }), stage('video/mute'))
  expect(stages).toEqual(['ffmpeg source > edited.mp4'])
})

test('plans each edit from the facts that the previous one left', () => {
  const plan = planPipeline([stage('video/rotate'), stage('video/resize', { width: 540 })], facts as never)
  // 1920 x 1080 rotates to 1080 x 1920, and a width of 540 halves it.
  expect(JSON.stringify(plan)).toContain('scale=540:960,setsar=1')
  const late = planPipeline(
    [stage('video/speed', { factor: 4 }), stage('video/trim', { start: 3 })],
    facts as never,
  )
  expect(late).toMatchObject({
    refused: {
      field: 'start',
      message: expect.objectContaining({ en: expect.stringContaining('2.5 s long') }),
    },
  })
})

test('runs an operation that is not an edit last, on the edited file', () => {
  expect(lines(stage('video/convert', { format: 'webm' }), stage('video/thumbnail', { at: 1 }))).toEqual([
    'ffmpeg source > edited.webm',
    'ffmpeg edited.webm > thumbnail.jpg',
  ])
  expect(lines(stage('video/thumbnail'), stage('video/mute'))).toEqual([
    'operations: thumbnail must be the last operation',
  ])
})

test('plans the last operation with the audio tracks that the edits wrote', () => {
  const audio = [{ index: 4, codec: 'ac3', channels: 6 }]
  const reordered = { ...facts, probe: sampleProbe({ audio }, { index: 3 }) }
  const plan = planPipeline([stage('video/flip'), stage('video/thumbnail', { at: 0 })], reordered as never)
  if ('refused' in plan) throw new Error(plan.refused.message.en)
  const [edit, end] = plan.steps
  expect(edit?.kind === 'ffmpeg' && edit.filter_graph).toContain('[0:3]')
  expect(end?.kind === 'ffmpeg' && end.filter_graph).toContain('[0:0]')
})

test('reports copied audio as encoded if the edits encoded it', () => {
  const extract_audio = stage('video/extract_audio', { format: 'aac' })
  const mode = (before: Stage) => planPipeline([before, extract_audio], facts as never)
  expect(mode(stage('video/compress'))).toMatchObject({ encode_mode: 'encode' })
  expect(mode(stage('video/mute'))).toMatchObject({ refused: {} })
  expect(mode(stage('video/strip_metadata'))).toMatchObject({ encode_mode: 'remux' })
})

test('allows caller-supplied subtitles after edits, but not transcribed ones', () => {
  const own = stage('video/subtitles', { subtitles_text: '1\n00:00:01,000 --> 00:00:02,000\nHello\n' })
  const stages = planPipeline([stage('video/flip'), own], facts as never)
  expect(stages).toMatchObject({ encode_mode: 'encode', body: { subtitles: 1 } })
  const ended = planPipeline([own, stage('video/thumbnail')], facts as never)
  expect(ended).toMatchObject({ encode_mode: null, body: { subtitles: 1 } })
  expect(lines(stage('video/flip'), stage('video/subtitles'))).toEqual([
    'operations: subtitles analyzes the input, so it must be the first operation',
  ])
})

test('keeps copies in a pipeline and reports the overall encode mode', () => {
  const plan = planPipeline(
    [stage('video/mute'), stage('video/strip_metadata'), stage('video/faststart')],
    facts as never,
  )
  expect(plan).toMatchObject({ encode_mode: 'remux' })
  expect(planPipeline([stage('video/mute'), stage('video/flip')], facts as never)).toMatchObject({
    encode_mode: 'encode',
  })
})

test.each([
  ['video', 'trim', { can_follow: true, can_precede: true }],
  ['video', 'thumbnail', { can_follow: true, can_precede: false }],
  ['video', 'enhance_voice', { can_follow: false, can_precede: true }],
  ['video', 'link_info', { can_follow: false, can_precede: false }],
  ['image', 'edit', { can_follow: false, can_precede: false }],
] as const)('%s/%s has the places %j in a pipeline', (service, key, role) => {
  const operation = findOperation(service, key)
  expect(operation && chainRole(operation)).toEqual(role)
})
