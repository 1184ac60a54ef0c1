import fc from 'fast-check'
import { expect, test } from 'vitest'
import { enhance_voice } from '../../operations/video/enhance_voice.ts'
import { sampleLoudness } from '../../planning/sample-facts.ts'
import { validateParams } from '../../planning/validate.ts'
import { cleanVoice, enhanceTrack, VoiceParameters } from './voice.ts'

const voiceParams = (params: object = {}) => VoiceParameters.parse(params)
const filtersOf = (...args: Parameters<typeof enhanceTrack>) => enhanceTrack(...args)?.join(',') ?? null

test('normalizes the recording to the working loudness first, then to the target', () => {
  expect(filtersOf(voiceParams(), sampleLoudness())).toBe(
    'aformat=sample_rates=48000:channel_layouts=stereo,highpass=f=80,volume=6.00dB,' +
      'apad=pad_dur=0.025,afftdn=nr=14:nf=-41.0,atrim=start=0.025,asetpts=PTS-0.025/TB,deesser=i=0.5:m=0.5:f=0.5,' +
      'acompressor=threshold=0.1:ratio=3:attack=10:release=200:knee=4,volume=6.00dB,' +
      'aresample=192000,alimiter=limit=0.7762:attack=2:release=60:level=false:latency=true,aresample=48000',
  )
})

test.each([
  [{ denoise: false }, 'afftdn'],
  [{ deess: false }, 'deesser'],
  [{ compress: false }, 'acompressor'],
])('%j omits the filter %s', (params, filter) => {
  expect(filtersOf(voiceParams(), sampleLoudness())).toContain(filter)
  expect(filtersOf(voiceParams(params), sampleLoudness())).not.toContain(filter)
})

test('keeps the loudness without loudnorm; low peaks need no limiter', () => {
  const filters = filtersOf(voiceParams({ loudnorm: false }), sampleLoudness())
  expect(filters).toMatch(/volume=-4\.00dB$/)
})

test('does not denoise digital silence between words', () => {
  expect(filtersOf(voiceParams(), sampleLoudness({ noise_dbfs: null }))).not.toContain('afftdn')
})

test('does not treat a voice without pauses as noise', () => {
  const [, floor] =
    /nf=(-[\d.]+)/.exec(filtersOf(voiceParams(), sampleLoudness({ noise_dbfs: -27 })) ?? '') ?? []
  expect(Number(floor)).toBe(-30)
})

test('leaves silence unchanged', () => {
  expect(enhanceTrack(voiceParams(), sampleLoudness({ source_lufs: null, filtered: null }))).toBeNull()
})

test('refuses params without any filter', () => {
  const nothing = { denoise: false, deess: false, compress: false, loudnorm: false }
  expect(validateParams(enhance_voice, nothing)).toMatchObject({ refused: { field: 'loudnorm' } })
  expect(validateParams(enhance_voice, { target_lufs: -5 })).toMatchObject({
    refused: { field: 'target_lufs' },
  })
})

test('keeps the filters within their bounds for any measurement', () => {
  const level = fc.double({ min: -70, max: 10, noNaN: true })
  fc.assert(
    fc.property(level, fc.option(level), (source_lufs, noise_dbfs) => {
      const filters = cleanVoice(voiceParams(), { source_lufs, noise_dbfs }).join(',')
      expect(filters).toMatch(/^[\w=:.,/-]+$/)
      const [, floor] = /nf=(-[\d.]+)/.exec(filters) ?? []
      if (floor !== undefined) {
        expect(Number(floor)).toBeGreaterThanOrEqual(-80)
        expect(Number(floor)).toBeLessThanOrEqual(-20)
      }
    }),
  )
})
