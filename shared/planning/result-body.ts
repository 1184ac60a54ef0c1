import { z } from 'zod'
import { RESULT_FORMATS } from './formats.ts'
import { ENCODE_MODES, ENCODE_REASONS } from './operation.ts'

/**
 * Schemas of `result.body`. Each field has the same meaning in every operation that has it. Contract: Jobs, Result.
 */

const width = z
  .int()
  .min(1)
  .describe('Width in pixels')
  .meta({ examples: [1280] })
const height = z
  .int()
  .min(1)
  .describe('Height in pixels')
  .meta({ examples: [720] })
const format = z.enum(RESULT_FORMATS).describe('Format of the result file')
const duration_seconds = z
  .number()
  .min(0)
  .describe('Duration of the result in seconds')
  .meta({ examples: [12.4] })
const encode_mode = z
  .enum(ENCODE_MODES)
  .describe(
    'How much was encoded: `remux` copies video and audio, `video_copy` encodes only the audio, `audio_copy` only the video, `encode` both',
  )
  .meta({ examples: ['encode'] })
const missing_seconds = z
  .number()
  .positive()
  .optional()
  .describe('Seconds of the input that are missing because the file is truncated')
  .meta({ examples: [3.2] })
const alpha_dropped = z
  .literal(true)
  .optional()
  .describe('True if the transparency of the input was lost; absent if not')
const from_preview = z
  .literal(true)
  .optional()
  .describe(
    'True if the input is a camera raw file that cannot be developed here, so its embedded full-size preview was used; absent if not',
  )
const input_kept = z
  .literal(true)
  .optional()
  .describe('True if the input was copied, because encoding would have made it larger; absent if not')
const user_data_removed = z
  .int()
  .min(1)
  .optional()
  .describe('Number of messages of the camera that were overwritten inside the video stream')
  .meta({ examples: [300] })

const copied_seconds = z
  .number()
  .positive()
  .optional()
  .describe('Seconds of the video that were copied without re-encoding; absent if all of it was encoded')
  .meta({ examples: [594.2] })
const encode_reason = z
  .enum(ENCODE_REASONS)
  .optional()
  .describe(
    'Why all of the video was encoded instead of copying most of it; absent if frames were copied, and in pipelines',
  )
  .meta({ examples: ['estimate'] })

/** Measurements of a result that is a video. */
const VIDEO = { encode_mode, width, height, duration_seconds, format, missing_seconds, alpha_dropped }
export const VideoBody = z.strictObject(VIDEO)
/** The body of operations that may encode only the ends of the parts that they keep. */
export const CutVideoBody = VideoBody.extend({ copied_seconds, encode_reason })
/** The body of `compress`, which never makes a video larger. */
export const CompressedVideoBody = VideoBody.extend({ input_kept })
/** The body of operations that replace the metadata of a video. */
export const CleanedVideoBody = VideoBody.extend({ user_data_removed })

/** Measurements of a result that is an audio file. */
export const AudioBody = z.strictObject({ encode_mode, duration_seconds, format, missing_seconds })

/** Measurements of a frame of a video, saved as an image. */
export const FrameBody = z.strictObject({ width, height, format, missing_seconds, alpha_dropped })

/** Measurements of an animation made from a video. */
export const AnimationBody = FrameBody.extend({
  encode_mode,
  duration_seconds: duration_seconds.optional().describe('Duration of one loop in seconds; absent if still'),
})

/** Measurements of a result that is an image. */
export const ImageBody = z.strictObject({
  width,
  height,
  format,
  frames_dropped: z
    .int()
    .min(1)
    .optional()
    .describe('Number of frames or pages of the input that the result does not contain')
    .meta({ examples: [23] }),
  alpha_dropped,
  from_preview,
})

/** The body of image operations that search for a quality. */
export const SizedImageBody = ImageBody.extend({
  quality: z
    .int()
    .min(1)
    .max(100)
    .optional()
    .describe('Quality that was chosen: to meet the size limit, or to look like the source')
    .meta({ examples: [68] }),
  lossless: z
    .literal(true)
    .optional()
    .describe('True if lossless encoding met the size limit; absent if not'),
})

/** The body of image operations that avoid a result larger than the input. */
export const CompressedImageBody = SizedImageBody.extend({
  input_kept,
  larger_than_input: z
    .literal(true)
    .optional()
    .describe(
      'True if the result is larger than the input, because nothing smaller was possible; absent if not',
    ),
})

/** Number of subtitles drawn into the video or added as a track. */
export const SUBTITLES = {
  subtitles: z
    .int()
    .min(1)
    .describe('Number of subtitles in the result')
    .meta({ examples: [14] }),
}

/** Fields of recognized speech. */
const SPEECH = {
  text: z
    .string()
    .describe('Recognized text, up to 20,000 characters; the file of a transcript has all of it')
    .meta({ examples: ['Welcome to the second part of this talk.'] }),
  text_is_cut: z.literal(true).optional().describe('True if `text` is shortened; absent if it is complete'),
  language: z
    .string()
    .describe('Language of the recognized words, as an ISO 639-1 code')
    .meta({ examples: ['en'] }),
  words: z
    .int()
    .min(1)
    .describe('Number of recognized words')
    .meta({ examples: [8] }),
}

/** Measurements of a transcript file. */
export const TranscriptBody = z.strictObject({
  ...SPEECH,
  duration_seconds: z
    .number()
    .min(0)
    .describe('Duration of the input in seconds')
    .meta({ examples: [12.4] }),
  format,
  missing_seconds,
})

/** Body of a video with subtitles. The speech fields are absent if the caller sends the subtitles. */
export const SubtitledVideoBody = VideoBody.extend({
  ...z.object(SPEECH).partial().shape,
  ...SUBTITLES,
  encoding: z
    .string()
    .optional()
    .describe(
      'Encoding that the file of `subtitles_url` was read as, such as `utf-8`; absent for other subtitles',
    )
    .meta({ examples: ['windows-1251'] }),
})
/** The body of a video with captions of its speech. */
export const CaptionedVideoBody = VideoBody.extend({ ...SPEECH, ...SUBTITLES })
