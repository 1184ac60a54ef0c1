import type { Size } from '../ffmpeg/video/frame-size.ts'
import { cleanText } from '../text/characters.ts'
import { alignmentOf, type Place } from '../text/positions.ts'
import { type AssStyle, type AssText, assScript, keypadAnchor } from './ass.ts'
import type { AssScript } from './ass-script.ts'
import { type FittedText, fitText, LINE_HEIGHT_EM } from './text.ts'

interface CoverText {
  title?: string | undefined
  subtitle?: string | undefined
  position: Place
  color: string
  subtitle_color?: string | undefined
  text_size: number
}

/** Margin at the edges, as a fraction of the shorter side. */
const MARGIN = 0.07
/** Maximum heights of the title and the subtitle, as fractions of the height between the margins. */
const TITLE_HEIGHT_MAX = 0.65
const SUBTITLE_HEIGHT_MAX = 0.3
/** Maximum width of a title on the left or right, which leaves space for the subject of the frame. */
const SIDE_WIDTH = 0.75

/** Returns the script that draws the title above the subtitle, or null if both are empty. */
export function coverScript(params: CoverText, frame: Size): AssScript | null {
  const title = cleanText(params.title ?? '')
  const subtitle = cleanText(params.subtitle ?? '')
  const shorter = Math.min(frame.width, frame.height)
  const margin = MARGIN * shorter
  const share = alignmentOf(params.position)
  const free = { width: frame.width - 2 * margin, height: frame.height - 2 * margin }
  const is_wide = frame.width > frame.height
  const width = free.width * (is_wide && share.x !== 0.5 ? SIDE_WIDTH : 1)
  const size = (params.text_size / 100) * shorter
  const parts = [
    ...partOf(
      title,
      { width, height: free.height * TITLE_HEIGHT_MAX, size, lines_max: 5 },
      {
        color: params.color,
        bold: true,
      },
    ),
    ...partOf(
      subtitle,
      { width, height: free.height * SUBTITLE_HEIGHT_MAX, size: size * 0.5, lines_max: 4 },
      {
        color: params.subtitle_color ?? params.color,
        bold: false,
      },
    ),
  ]
  if (parts.length === 0) return null
  const anchor = keypadAnchor(params.position)
  const [x, y] = [margin + share.x * free.width, margin + share.y * free.height]
  return assScript(frame, [{ anchor, x, y, parts }])
}

function partOf(
  text: string,
  fit: { width: number; height: number; size: number; lines_max: number },
  look: Pick<AssStyle, 'color' | 'bold'>,
): AssText['parts'] {
  if (text === '') return []
  const size_max = Math.min(fit.size, fit.height / LINE_HEIGHT_EM)
  const { lines, size }: FittedText = fitText(text, { ...fit, size_max, size_comfortable: size_max * 0.9 })
  return [{ lines, style: { ...look, size, opacity: 1, outline: size / 40, shadow: size / 24 } }]
}
