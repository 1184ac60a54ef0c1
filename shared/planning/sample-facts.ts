import { readLinkInfo } from '../links/info.ts'
import type {
  Facts,
  ImageFacts,
  LinkFacts,
  MediaProbe,
  TrackLoudness,
  Transcript,
  VideoTrack,
  Word,
} from './facts.ts'

/** Returns the probe of a ten-second 1080p MP4 with stereo audio, with overrides. */
export function sampleProbe(changed: Partial<MediaProbe> = {}, video: Partial<VideoTrack> = {}): MediaProbe {
  return {
    container: 'mov,mp4,m4a,3gp,3g2,mj2',
    duration_seconds: 10,
    video: {
      index: 0,
      codec: 'h264',
      width: 1920,
      height: 1080,
      rotation_degrees: 0,
      frames_per_second: 25,
      pixel_format: 'yuv420p',
      color_transfer: null,
      interlaced: false,
      ...video,
    },
    audio: [{ index: 1, codec: 'aac', channels: 2 }],
    ...changed,
  }
}

/** Returns the facts of a 12-megapixel photo, with overrides. */
export function sampleImage(changed: Partial<ImageFacts> = {}): ImageFacts {
  return { format: 'jpeg', width: 4000, height: 3000, pages: 1, has_alpha: false, ...changed }
}

/** Returns a transcript with one word every half second, starting at one second. "|" is a one-second pause. */
export function sampleTranscript(text = 'so this is | what we say'): Transcript {
  const words: Word[] = []
  let at = 1
  for (const part of text.split(' ')) {
    if (part !== '|') words.push({ text: part, start: at, end: at + 0.45 })
    at += part === '|' ? 1 : 0.5
  }
  return { language: 'en', words }
}

/** Returns the loudness of a slightly quiet speech recording with fan noise. */
export function sampleLoudness(changed: Partial<TrackLoudness> = {}): TrackLoudness {
  const filtered = { integrated_lufs: -22, true_peak_dbtp: -8 }
  return { source_lufs: -26, noise_dbfs: -55, filtered, ...changed }
}

/** Returns the facts of a link, with overrides for yt-dlp's response. */
export function sampleLink(answer: Record<string, unknown> = {}): LinkFacts {
  const info = readLinkInfo({ id: 'abc', title: 'A video', duration: 10, formats: [], ...answer })
  return { info, fetched_at: '2026-01-11T00:00:00.000Z', media: sampleProbe() }
}

/** Returns facts of every kind, with overrides. */
export function sampleFacts(given: Partial<Facts> = {}): Facts {
  return {
    probe: sampleProbe(),
    image: sampleImage(),
    assets: {},
    transcript: sampleTranscript(),
    silences: [],
    loudness: [sampleLoudness()],
    lead_seconds: 0,
    cut_packets: null,
    video_packets: null,
    link: sampleLink(),
    ...given,
  }
}
