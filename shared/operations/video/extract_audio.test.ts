import { expect, test } from 'vitest'
import { SURROUND_TO_STEREO } from '../../ffmpeg/audio/stereo.ts'
import { NO_BRANDS } from '../../ffmpeg/output/containers.ts'
import { sampleProbe } from '../../planning/sample-facts.ts'
import { extract_audio } from './extract_audio.ts'

const track = (codec: string, channels = 2, index = 1) => ({ index, codec, channels })

function planOf(params: Record<string, unknown>, audio = [track('aac')]) {
  const probe = sampleProbe({ audio })
  return extract_audio.plan({ params: extract_audio.parameters.parse(params), facts: { probe } })
}

function commandOf(params: Record<string, unknown>, audio = [track('aac')]) {
  const plan = planOf(params, audio)
  if ('refused' in plan) throw new Error(plan.refused.message.en)
  const [step] = plan.steps
  if (step?.kind !== 'ffmpeg') throw new Error('extract_audio runs ffmpeg')
  const options = step.output.options.join(' ').replace(` ${NO_BRANDS.join(' ')}`, '')
  return `${plan.encode_mode}: ${options} ${step.output.file}`
}

test.each([
  [{}, [track('aac')], 'encode: -map 0:1 -c:a libmp3lame -b:a 192k -ac 2 audio.mp3'],
  [{}, [track('mp3')], 'remux: -map 0:1 -c:a copy audio.mp3'],
  [{ bitrate_kbps: 64 }, [track('mp3')], 'encode: -map 0:1 -c:a libmp3lame -b:a 64k -ac 2 audio.mp3'],
  [{ format: 'aac' }, [track('aac')], 'remux: -map 0:1 -c:a copy -movflags +faststart audio.m4a'],
  [{ format: 'm4a' }, [track('aac', 6)], 'remux: -map 0:1 -c:a copy -movflags +faststart audio.m4a'],
  [
    { format: 'aac' },
    [track('ac3', 6)],
    `encode: -map 0:1 -af ${SURROUND_TO_STEREO} -c:a aac -b:a 192k -ac 2 -movflags +faststart audio.m4a`,
  ],
  [{}, [track('opus', 1)], 'encode: -map 0:1 -c:a libmp3lame -b:a 192k -ac 1 audio.mp3'],
  [{ track: 2 }, [track('aac'), track('mp3', 2, 3)], 'remux: -map 0:3 -c:a copy audio.mp3'],
])('plans %j of %j', (params, audio, command) => {
  expect(commandOf(params, audio)).toBe(command)
})

test('refuses videos without audio, or without the requested track', () => {
  expect(planOf({}, [])).toEqual({
    refused: {
      field: null,
      message: expect.objectContaining({ en: 'The video has no audio track to extract' }),
    },
  })
  expect(planOf({ track: 2 })).toEqual({
    refused: {
      field: 'track',
      message: expect.objectContaining({ en: 'track is 2, but the video has only 1 audio track' }),
    },
  })
})
