import { z } from 'zod'
import { enhanceTrack, VoiceParameters } from '../../ffmpeg/audio/voice.ts'
import { defineVideoEdit } from '../../ffmpeg/define-edit.ts'
import { videoEdit } from '../../ffmpeg/edit.ts'
import { refuse } from '../../planning/operation.ts'
import { VideoBody } from '../../planning/result-body.ts'

/**
 * Cleans up speech and evens out its loudness; copies the video. Measures and filters each audio track
 * separately; 5.1 becomes stereo. Contract: Video operations, Audio only.
 */
export const enhance_voice = defineVideoEdit({
  key: 'enhance_voice',
  stem: 'enhanced',
  title: 'Enhance voice',
  description:
    'Makes speech clearer: less noise, softer sibilants, even loudness (EBU R128). The video is copied.',
  credits: 3,
  family: null,
  facts: ['probe', 'loudness'],
  parameters: VoiceParameters,
  presets: [
    { label: 'Podcast', params: { level: 'medium' } },
    { label: 'Noisy environment', params: { level: 'strong' } },
    { label: 'Clean recording', params: { level: 'light' } },
    {
      label: 'Loudness only',
      params: { denoise: false, deess: false, compress: false, loudnorm: true },
    },
  ],
  result_body: VideoBody.extend({
    source_loudness_lufs: z
      .number()
      .nullable()
      .describe('Loudness of the first audio track before processing, in LUFS; null if it is silent')
      .meta({ examples: [-26.3] }),
  }),
  edit({ params, facts: { probe, loudness } }) {
    if (probe.audio.length === 0)
      return refuse(null, {
        en: 'The video has no audio track to enhance',
        uk: 'У відео немає звукової доріжки для покращення',
        ru: 'В видео нет звуковой дорожки для улучшения',
      })
    const tracks = loudness.map((track) => enhanceTrack(params, track))
    if (tracks.every((track) => track === null)) {
      return refuse(null, {
        en: 'The audio of the video is silent, so there is no voice to enhance',
        uk: 'Звукова доріжка відео беззвучна, тому голосу для покращення немає',
        ru: 'Звуковая дорожка видео беззвучна, поэтому голоса для улучшения нет',
      })
    }
    return videoEdit(probe, {
      audio: ({ input, output, track }) => `${input}${(tracks[track] ?? ['anull']).join(',')}${output}`,
      body: { source_loudness_lufs: loudness[0]?.source_lufs ?? null },
    })
  },
})
