import type { Drawing } from '../ffmpeg/video/background.ts'
import { overlayColors } from '../ffmpeg/video/colors.ts'
import type { Size } from '../ffmpeg/video/frame-size.ts'
import type { VideoTrack } from '../planning/facts.ts'
import type { EmojiStep } from '../planning/steps.ts'
import { contentFile } from './ass.ts'
import { type AssScript, hundredthsOf, writeScript } from './ass-script.ts'
import { hideSpaces, keepPlain, listSpaces, revealSpaces } from './emoji-spaces.ts'

/** Bounds the time to place and draw them. With more emoji, all are drawn in the color of the text. */
const EMOJI_MAX = 1000
/** Bounds the script that places them, which repeats the texts that overlap. About 10,000 lines of subtitles. */
const REVEALED_CHARACTERS_MAX = 2_000_000

interface DrawnScript {
  text: { file: string; content: string }
  /** Draws the colored emoji; empty if there are none. */
  images: EmojiStep[]
  drawing: Drawing
}

interface Target {
  video: VideoTrack
  /** Size of the frames that the script is drawn on. */
  frame: Size
  /** A still shows all emoji at once. */
  is_still: boolean
  /** The text has a shadow, not a box. */
  has_shadow: boolean
  /** Filters before the text. */
  before?: readonly string[]
}

/**
 * Plans how a script is drawn: its text by libass, and colored emoji as an overlay. If placing the emoji is too much
 * work, they are drawn in the color of the text.
 */
export function drawScript(
  script: AssScript,
  { video, frame, is_still, has_shadow, before = [] }: Target,
): DrawnScript {
  const spaces = listSpaces(script)
  const is_plain = spaces.length === 0 || spaces.length > EMOJI_MAX
  const revealed = is_plain ? null : revealSpaces(script, REVEALED_CHARACTERS_MAX)
  const content = writeScript(revealed === null ? keepPlain(script) : hideSpaces(script, has_shadow))
  const file = contentFile(content, 'ass')
  const drawn = [...before, `ass=${file}`].join(',')
  if (revealed === null) {
    return {
      text: { file, content },
      images: [],
      drawing: ({ input, output }) => `${input}${drawn}${output}`,
    }
  }
  const emoji = spaces.map((space) => space.emoji)
  const output = { file: contentFile(content + emoji.join(), is_still ? 'png' : 'mkv') }
  const frames = is_still ? [{ hundredths: 1, emoji: [...emoji.keys()] }] : framesOf(script, spaces)
  const image: EmojiStep = {
    ...{ kind: 'emoji', script: writeScript(revealed), emoji, frames },
    ...{ size: { width: frame.width, height: frame.height }, output },
  }
  // The fleet wrote this file, and its name is a hash.
  const layer = `movie=${output.file}:f=${is_still ? 'png_pipe' : 'matroska'}`
  const colors = overlayColors(video, is_still ? 'yuva444p' : 'yuva420p')
  // Frames of the layer after the end of the video would make it longer.
  const overlay = is_still ? 'overlay=format=yuv444' : 'overlay=shortest=1'
  return {
    ...{ text: { file, content }, images: [image] },
    drawing: ({ input, output: end, own }) =>
      `${input}${drawn}${own('text')};${layer},${colors}${own('emoji')};${own('text')}${own('emoji')}${overlay}${end}`,
  }
}

/** Longer than any video, but not so long that ffmpeg takes the gap between two frames for a fault. */
const LAYER_HUNDREDTHS = 24 * 3600 * 100

/** Returns which emoji each frame of the overlay shows. An empty frame ends it, after the end of the video. */
function framesOf(script: AssScript, spaces: ReturnType<typeof listSpaces>): EmojiStep['frames'] {
  const shown = spaces.map(({ event }) => {
    const { start = 0, end = 0 } = script.events[event] ?? {}
    return { start: hundredthsOf(start), end: hundredthsOf(end) }
  })
  const times = [...new Set([0, ...shown.flatMap(({ start, end }) => [start, end])])]
    .filter((time) => time < LAYER_HUNDREDTHS)
    .sort((a, b) => a - b)
  const frames = times.map((time, position) => ({
    hundredths: (times[position + 1] ?? LAYER_HUNDREDTHS) - time,
    emoji: shown.flatMap(({ start, end }, index) => (start <= time && time < end ? [index] : [])),
  }))
  return [...frames, { hundredths: 1, emoji: [] }]
}
