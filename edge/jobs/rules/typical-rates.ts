/** Typical length of a video in minutes, and size of an image in megapixels. */
const VIDEO_MINUTES = 2
const IMAGE_MEGAPIXELS = 12

interface TypicalRate {
  seconds_mean: number
  size_mean: number
}

const perMinute = (seconds: number): TypicalRate => ({
  seconds_mean: seconds * VIDEO_MINUTES,
  size_mean: VIDEO_MINUTES,
})
const perImage = (seconds: number): TypicalRate => ({ seconds_mean: seconds, size_mean: IMAGE_MEGAPIXELS })

const COPY = perMinute(1)
const ONE_FRAME = perMinute(1)
const AUDIO = perMinute(4)
const SHORT_CLIP = perMinute(15)
const ENCODE = perMinute(60)
const SPEECH = perMinute(45)
const SPEECH_AND_ENCODE = perMinute(105)

/**
 * Processing time of each operation on two cores with a 1080p video or a photo, used until enough jobs have been
 * measured. The figures are judged, not measured. Only estimates depend on them.
 */
export const TYPICAL_RATES: Readonly<Record<string, TypicalRate>> = {
  'video/compress': ENCODE,
  'video/resize': ENCODE,
  'video/convert': ENCODE,
  'video/social': ENCODE,
  'video/trim': ENCODE,
  'video/fps': ENCODE,
  'video/faststart': COPY,
  'video/mute': COPY,
  'video/speed': ENCODE,
  'video/rotate': ENCODE,
  'video/flip': ENCODE,
  'video/gif': SHORT_CLIP,
  'video/thumbnail': ONE_FRAME,
  'video/cover': ONE_FRAME,
  'video/extract_audio': AUDIO,
  'video/enhance_voice': AUDIO,
  'video/add_audio': AUDIO,
  'video/circle': SHORT_CLIP,
  'video/blur_bg': ENCODE,
  'video/watermark': ENCODE,
  'video/subtitles': SPEECH_AND_ENCODE,
  'video/transcribe': SPEECH,
  'video/auto_edit': SPEECH_AND_ENCODE,
  'video/device_meta': COPY,
  'video/strip_metadata': COPY,
  'video/link_info': { seconds_mean: 5, size_mean: 1 },
  'video/download_video': perMinute(5),
  'video/download_audio': perMinute(2),
  'video/download_thumbnail': { seconds_mean: 5, size_mean: 1 },
  'video/link_transcribe': SPEECH,
  'video/link_captions': SPEECH_AND_ENCODE,
  'image/resize': perImage(0.4),
  'image/compress': perImage(1),
  'image/convert': perImage(1),
  'image/crop': perImage(0.4),
  'image/circle': perImage(1),
  'image/transform': perImage(1),
  'image/enhance': perImage(1),
  'image/social': perImage(0.6),
  'image/web_optimize': perImage(0.6),
  'image/strip_meta': perImage(0.2),
  'image/device_meta': perImage(0.3),
  'image/watermark': perImage(1),
  'image/edit': perImage(1.5),
}
