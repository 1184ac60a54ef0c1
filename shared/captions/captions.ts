import { type VideoEdit, videoEdit, withSize } from '../ffmpeg/edit.ts'
import { encodedSize } from '../ffmpeg/filters.ts'
import type { MediaProbe } from '../planning/facts.ts'
import { joinWords, lengthOf } from '../speech/words.ts'
import {
  type CAPTION_STYLES,
  type CaptionLook,
  captionCharactersMax,
  captionLinesMax,
  captionScript,
} from './caption-script.ts'
import { CUE_LIMITS, type Cue, type CueLimits, cuesOf } from './cues.ts'
import { drawScript } from './draw-script.ts'
import { type Speech, transcriptCues } from './transcript.ts'

/** Number of words that karaoke shows at once on vertical videos, as in popular apps. */
const KARAOKE_UPRIGHT_WORDS = 4

export const CAPTION_PRESETS = [
  { label: 'Clean', params: { style: 'clean' } },
  { label: 'Karaoke: word by word', params: { style: 'karaoke' } },
  { label: 'Boxed: readable on any background', params: { style: 'boxed' } },
  { label: 'Yellow: cinema style', params: { style: 'yellow' } },
] as const satisfies readonly { label: string; params: { style: (typeof CAPTION_STYLES)[number] } }[]

/** Returns the limits for captions of this style in this video. */
function captionLimits(
  probe: MediaProbe,
  look: CaptionLook,
  words_max: number | undefined,
): Partial<CueLimits> {
  const { width, height } = probe.video
  const is_upright_karaoke = look.style === 'karaoke' && height > width
  return {
    line_characters_max: captionCharactersMax(look, encodedSize(probe.video), CUE_LIMITS.line_characters_max),
    words_max: words_max ?? (is_upright_karaoke ? KARAOKE_UPRIGHT_WORDS : CUE_LIMITS.words_max),
    gap_seconds: Math.min(2 / Math.max(1, probe.video.frames_per_second), 0.1),
  }
}

/** Returns the captions of a transcript, sized to fit the video. */
export function captionCues(speech: Speech, probe: MediaProbe, look: CaptionLook, words_max?: number): Cue[] {
  return transcriptCues(speech, captionLimits(probe, look, words_max))
}

/** Rewraps subtitles that do not fit the video; the others keep their lines and times. */
export function fitCues(
  cues: readonly Cue[],
  probe: MediaProbe,
  look: CaptionLook,
  words_max?: number,
): Cue[] {
  const limits = { ...CUE_LIMITS, ...captionLimits(probe, look, words_max) }
  const lines_max = captionLinesMax(look, encodedSize(probe.video))
  return cues.flatMap((cue) => {
    const fits =
      cue.lines.length <= lines_max &&
      cue.lines.every((line) => lengthOf(joinWords(line)) <= limits.line_characters_max) &&
      cue.lines.flat().length <= limits.words_max
    if (fits) return [cue]
    return cuesOf(cue.lines.flat(), { ...limits, gap_seconds: 0, duration_seconds: cue.end })
  })
}

/** Draws captions into the video (Contract: Video operations, Full re-encode; Link operations). */
export function burnCaptions(probe: MediaProbe, cues: readonly Cue[], look: CaptionLook): VideoEdit {
  const size = encodedSize(probe.video)
  const { text, images, drawing } = drawScript(captionScript(cues, look, size), {
    ...{ video: probe.video, frame: size, is_still: false, has_shadow: look.style !== 'boxed' },
    // Draws on frames of the final size with square pixels, so letters stay sharp and undistorted.
    before: [`scale=${size.width}:${size.height}`, 'setsar=1'],
  })
  return videoEdit(probe, {
    video: drawing,
    is_framewise: true,
    texts: [text],
    images,
    after: withSize(probe, size),
  })
}
