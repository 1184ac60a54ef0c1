import { expect, test } from 'vitest'
import { FIXED_AUDIO_GRAPH } from '../../ffmpeg/audio/uniform-audio.ts'
import type { AssetFacts } from '../../planning/facts.ts'
import { sampleProbe } from '../../planning/sample-facts.ts'
import { validateParams } from '../../planning/validate.ts'
import { add_audio } from './add_audio.ts'

const url = 'https://example.com/music.mp3'
const asset = (changed: Partial<AssetFacts> = {}): AssetFacts => ({
  ...{ file: 'asset-0-tracks.0.url', width: 0, height: 0, duration_seconds: 4, channels: 2 },
  ...changed,
})

function plan(params: Record<string, unknown>, probe = sampleProbe(), first = asset()) {
  const valid = add_audio.parameters.parse({ tracks: [{ url }], ...params })
  const assets = { 'tracks.0.url': first, 'tracks.1.url': asset({ file: 'asset-0-tracks.1.url' }) }
  const planned = add_audio.plan({ params: valid, facts: { probe, assets } })
  if ('refused' in planned) throw new Error(`${planned.refused.field}: ${planned.refused.message.en}`)
  const [step] = planned.steps
  if (step?.kind !== 'ffmpeg') throw new Error('one ffmpeg step is expected')
  return { ...planned, graph: step.filter_graph ?? '', inputs: step.inputs, options: step.output.options }
}

test('copies the video and mixes audio without attenuating it', () => {
  const { encode_mode, graph, options, outputs } = plan({})
  expect(encode_mode).toBe('video_copy')
  expect(outputs).toEqual([{ file: 'mixed.mp4' }])
  expect(options.join(' ')).toContain('-map 0:0 -c:v copy -map [audio1] -c:a aac -b:a 192k')
  expect(graph).toContain('amix=inputs=2:normalize=0:duration=first')
  expect(graph).toContain('apad,atrim=end=10,volume=1')
  expect(graph).toContain('atrim=end=4')
})

test('applies the parameters of a track in its filters', () => {
  const track = { url, start: 2.5, volume: 0.25, loop: true, fade_in: 1, fade_out: 2 }
  const { graph, inputs } = plan({ tracks: [track] })
  expect(inputs[1]).toEqual({
    file: 'asset-0-tracks.0.url',
    options: [...FIXED_AUDIO_GRAPH, '-stream_loop', '2'],
  })
  expect(graph).toContain(
    'atrim=end=7.5,volume=0.25,afade=t=in:st=0:d=1,afade=t=out:st=5.5:d=2,adelay=delays=120000S:all=1',
  )
})

test('shortens overlapping fades', () => {
  expect(plan({ tracks: [{ url, fade_in: 6, fade_out: 2 }] }).graph).toContain(
    'afade=t=in:st=0:d=3,afade=t=out:st=3:d=1',
  )
})

test('omits inaudible fades', () => {
  expect(plan({ tracks: [{ url, fade_in: 1e-7, fade_out: 0.0009 }] }).graph).not.toContain('afade')
  expect(plan({ tracks: [{ url, fade_in: 0.001 }] }).graph).toContain('afade=t=in:st=0:d=0.001')
})

test('ducks under the original audio of a video that has audio', () => {
  const tracks = [
    { url, duck: true },
    { url, duck: 0 },
  ]
  expect(plan({ tracks }).graph).toMatch(/sidechaincompress=.*mix=0\.7488/)
  expect(plan({ tracks, original_volume: 0 }).graph).not.toContain('sidechaincompress')
  expect(plan({ tracks }, sampleProbe({ audio: [] })).graph).not.toContain('sidechaincompress')
})

test('mixes into every audio track; mono plays at full level on both sides', () => {
  const audio = [
    { index: 1, codec: 'aac', channels: 1 },
    { index: 3, codec: 'ac3', channels: 6 },
  ]
  const { graph, options } = plan({}, sampleProbe({ audio }))
  expect(graph.match(/\[1:a\]/g)).toHaveLength(2)
  expect(graph.match(/pan=stereo/g)).toHaveLength(1)
  expect(options.join(' ')).toContain('-map [audio1] -map [audio3]')
})

test('starts from silence in a silent video', () => {
  expect(plan({}, sampleProbe({ audio: [] })).graph).toContain('anullsrc=')
})

test.each([
  [{ tracks: [{ url, start: 10 }] }, asset(), /^tracks\.0\.start: /],
  [{}, asset({ duration_seconds: 0 }), /^tracks\.0\.url: /],
  [{ tracks: [{ url, loop: true }] }, asset({ duration_seconds: 0.05 }), /^tracks\.0\.loop: /],
])('refuses %j and names the parameter', (params, first, sentence) => {
  expect(() => plan(params, sampleProbe(), first)).toThrow(sentence)
})

test.each([
  [{}, 'tracks'],
  [{ tracks: [] }, 'tracks'],
  [{ tracks: [{ url: 'file:///etc/passwd' }] }, 'tracks'],
  [{ tracks: [{ url, volume: 3 }] }, 'tracks'],
  [{ tracks: [{ url, duck: 'yes' }] }, 'tracks'],
  [{ tracks: [{ url, gain: 1 }] }, 'tracks'],
  [{ tracks: Array.from({ length: 9 }, () => ({ url })) }, 'tracks'],
  [{ tracks: [{ url }], original_volume: 2.1 }, 'original_volume'],
])('refuses the parameters %j', (params, field) => {
  expect(validateParams(add_audio, params)).toMatchObject({ refused: { field } })
})

test('names the asset of each track by its index', () => {
  const params = add_audio.parameters.parse({ tracks: [{ url }, { url }] })
  expect(add_audio.assets?.(params)).toEqual([
    { name: 'tracks.0.url', url, kind: 'audio' },
    { name: 'tracks.1.url', url, kind: 'audio' },
  ])
})
