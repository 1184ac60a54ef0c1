import { describe, expect, test } from 'vitest'
import { sampleProbe } from '../../planning/sample-facts.ts'
import { validateParams } from '../../planning/validate.ts'
import { convert } from './convert.ts'

function planConvert(params: Record<string, unknown>, probe = sampleProbe()) {
  return convert.plan({ params: convert.parameters.parse(params), facts: { probe } })
}

const avi = sampleProbe(
  { container: 'avi', audio: [{ index: 1, codec: 'pcm_s16le', channels: 2 }] },
  { codec: 'wmv2' },
)

describe('the plan depends on codec and container only', () => {
  test.each([
    [{}, sampleProbe(), 'remux', 'converted.mp4'],
    [{ format: 'mov', vcodec: 'libx264' }, sampleProbe(), 'remux', 'converted.mov'],
    [{ format: 'mkv' }, avi, 'remux', 'converted.mkv'],
    [{ format: 'mp4' }, avi, 'encode', 'converted.mp4'],
    [{ format: 'mov' }, avi, 'audio_copy', 'converted.mov'],
    [{ format: 'webm' }, sampleProbe(), 'encode', 'converted.webm'],
    [{ vcodec: 'libx265' }, sampleProbe(), 'audio_copy', 'converted.mp4'],
    [{ acodec: 'libmp3lame' }, sampleProbe(), 'video_copy', 'converted.mp4'],
    [{ vcodec: 'copy', acodec: 'libopus' }, sampleProbe(), 'video_copy', 'converted.mp4'],
  ])('plans %j', (params, probe, encode_mode, file) => {
    expect(planConvert(params, probe)).toMatchObject({ encode_mode, outputs: [{ file }] })
  })
})

describe('refuses codecs that the container does not support', () => {
  test.each([
    [
      { format: 'webm', vcodec: 'libx264' },
      'vcodec',
      'webm does not support libx264. Use libvpx-vp9 or copy',
    ],
    [{ format: 'webm', acodec: 'aac' }, 'acodec', 'webm does not support aac. Use libopus or copy'],
    [
      { format: 'mov', vcodec: 'libvpx-vp9' },
      'vcodec',
      'mov does not support libvpx-vp9. Use libx264, libx265 or copy',
    ],
    [
      { format: 'mov', acodec: 'libopus' },
      'acodec',
      'mov does not support libopus. Use aac, libmp3lame or copy',
    ],
  ])('refuses %j before any work', (params, field, sentence) => {
    expect(validateParams(convert as never, params)).toEqual({
      refused: { field, message: expect.objectContaining({ en: `${field}: ${sentence}` }) },
    })
  })

  test('refuses a copy after probing the input', () => {
    expect(planConvert({ format: 'webm', vcodec: 'copy' })).toEqual({
      refused: {
        field: 'vcodec',
        message: expect.objectContaining({
          en: 'copy is not possible: webm does not support h264. Choose an encoder or another format',
        }),
      },
    })
    expect(planConvert({ format: 'mp4', acodec: 'copy' }, avi)).toMatchObject({
      refused: { field: 'acodec' },
    })
    const turned = sampleProbe({}, { rotation_degrees: 270 })
    expect(planConvert({ format: 'mkv', vcodec: 'copy' }, turned)).toEqual({
      refused: {
        field: 'vcodec',
        message: expect.objectContaining({
          en: 'copy is not possible: mkv does not support rotation metadata. Choose an encoder or another format',
        }),
      },
    })
  })
})

test('tags HEVC for Apple players, copied or encoded', () => {
  const options = (plan: ReturnType<typeof planConvert>) =>
    'refused' in plan
      ? ''
      : plan.steps.flatMap((step) => (step.kind === 'ffmpeg' ? step.output.options : [])).join(' ')
  expect(options(planConvert({ vcodec: 'libx265' }))).toContain('-tag:v hvc1')
  expect(options(planConvert({}, sampleProbe({}, { codec: 'hevc' })))).toContain('-c:v copy -tag:v hvc1')
  expect(options(planConvert({ format: 'mkv', vcodec: 'libx265' }))).not.toContain('hvc1')
})
