import { enhanceTrack, VoiceParameters } from '../../ffmpeg/audio/voice.ts'
import { defineVideoEdit } from '../../ffmpeg/define-edit.ts'
import { videoEdit } from '../../ffmpeg/edit.ts'
import { refuse } from '../../planning/operation.ts'

/**
 * Videos, with voices that are clear and loud enough; the video is copied. Each audio track is measured and
 * treated by itself; 5.1 becomes stereo. Contract: Video operations, Audio only.
 */
export const enhance_voice = defineVideoEdit({
  key: 'enhance_voice',
  stem: 'enhanced',
  title: 'Enhance voice',
  description: 'Makes speech clear: less noise, softer s, even loudness (EBU R128). The picture is copied.',
  credits: 3,
  family: null,
  facts: ['probe', 'loudness'],
  parameters: VoiceParameters,
  presets: [
    { label: 'Podcast', params: { level: 'medium' } },
    { label: 'A noisy place', params: { level: 'strong' } },
    { label: 'A good recording, gently', params: { level: 'light' } },
    {
      label: 'Only even loudness',
      params: { denoise: false, deess: false, compress: false, loudnorm: true },
    },
  ],
  edit({ params, facts: { probe, loudness } }) {
    if (probe.audio.length === 0) return refuse(null, 'The video has no sound that could be enhanced')
    const tracks = loudness.map((track) => enhanceTrack(params, track))
    if (tracks.every((track) => track === null)) {
      return refuse(null, 'The sound of the video is silence, so there is no voice to enhance')
    }
    return videoEdit(probe, {
      sound: ({ input, output, track }) => `${input}${(tracks[track] ?? ['anull']).join(',')}${output}`,
      body: { source_loudness_lufs: loudness[0]?.source_lufs ?? null },
    })
  },
})
