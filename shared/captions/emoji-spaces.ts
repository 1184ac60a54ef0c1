import type { AssEvent, AssScript } from './ass-script.ts'

/**
 * libass draws no colors of fonts. A script therefore leaves a space for each colored emoji: an invisible rectangle
 * that moves with the text. The fleet finds out where libass puts the rectangles and draws the emoji there.
 */

/** Size of a space, and how far it reaches below the baseline, in em. */
const [WIDTH_EM, HEIGHT_EM, DEPTH_EM] = [1.25, 1.17, 0.22]

/** A space: its emoji, then the rectangle. Text from callers cannot contain `{` without a backslash. */
const SPACE = /(?<!\\)\{\\emoji ([^{}]*)\}(.*?)\{\\end\}/gu

export const EMOJI_WIDTH_EM = WIDTH_EM

/** Returns the space for an emoji, as text of an event. Scripts are not valid until `hideSpaces`. */
export function emojiSpace(emoji: string, em_pixels: number): string {
  const [width, height, depth] = [WIDTH_EM, HEIGHT_EM, DEPTH_EM].map((em) => Math.round(em * em_pixels))
  return `{\\emoji ${emoji}}{\\p1\\pbo${depth}}m 0 0 l ${width} 0 ${width} ${height} 0 ${height}{\\p0\\pbo0}{\\end}`
}

/** A space of a script: its emoji, and the position of its event. */
export interface EmojiSpace {
  emoji: string
  event: number
}

export function listSpaces({ events }: AssScript): EmojiSpace[] {
  return events.flatMap(({ text }, event) =>
    Array.from(text.matchAll(SPACE), ([, emoji = '']) => ({ emoji, event })),
  )
}

/** Returns the script with its emoji as text, which libass draws in the color of the other text. */
export function keepPlain({ head, events }: AssScript): AssScript {
  return { head, events: events.map((event) => ({ ...event, text: event.text.replace(SPACE, '$1') })) }
}

const INVISIBLE = '\\1a&HFF&\\2a&HFF&\\3a&HFF&'
const RESTORE = '\\1a\\2a\\3a'

/**
 * Returns the script with invisible spaces.
 * @param has_shadow draws a shadow under each character, which the spaces then suppress. A box is kept.
 */
export function hideSpaces(script: AssScript, has_shadow: boolean): AssScript {
  const hide = INVISIBLE + (has_shadow ? '\\4a&HFF&' : '')
  const restore = RESTORE + (has_shadow ? '\\4a' : '')
  const events = script.events.map((event) => ({
    ...event,
    text: event.text.replace(SPACE, (_, _emoji, shape: string) => `{${hide}}${shape}{${restore}}`),
  }))
  return { head: script.head, events }
}

const VISIBLE = '\\1a&H00&\\2a&H00&\\1c&HFFFFFF&\\2c&HFFFFFF&'

/**
 * Returns a script that shows one space a second, in order, as a white rectangle. Everything else is invisible, but
 * takes part in the layout.
 */
export function revealSpaces({ head, events }: AssScript): AssScript {
  const revealed: AssEvent[] = []
  let second = 0
  for (const [position, event] of events.entries()) {
    const count = Array.from(event.text.matchAll(SPACE)).length
    if (count === 0) continue
    // libass moves a text away from the ones that are already shown.
    const shown = events
      .slice(0, position)
      .filter(({ start, end }) => start <= event.start && end > event.start)
    for (let index = 0; index < count; index += 1) {
      const at = { start: second, end: second + 1 }
      revealed.push(...shown.map((other) => ({ ...other, ...at, text: revealOne(other.text, -1) })))
      revealed.push({ ...event, ...at, text: revealOne(event.text, index) })
      second += 1
    }
  }
  return { head: head.map(makeTransparent), events: revealed }
}

function revealOne(text: string, visible: number): string {
  let index = 0
  return text.replace(SPACE, (_, _emoji, shape: string) => {
    const is_visible = index === visible
    index += 1
    return is_visible ? `{${VISIBLE}}${shape}{\\1a\\2a\\1c\\2c}` : shape
  })
}

/** Makes all colors of a style transparent. */
function makeTransparent(line: string): string {
  return line.startsWith('Style: ') ? line.replace(/&H[0-9A-F]{2}(?=[0-9A-F]{6})/g, '&HFF') : line
}
