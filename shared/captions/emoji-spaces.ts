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
 * @returns null if the script would have more characters. Texts that overlap are repeated for each of their spaces.
 */
export function revealSpaces({ head, events }: AssScript, characters_max: number): AssScript | null {
  const reveals = listReveals(events, characters_max)
  if (reveals === null) return null
  const revealed: AssEvent[] = []
  let second = 0
  for (const { event, spaces, shown } of reveals) {
    for (let index = 0; index < spaces; index += 1) {
      const at = { start: second, end: second + 1 }
      revealed.push(...shown.map((other) => ({ ...other, ...at, text: revealOne(other.text, -1) })))
      revealed.push({ ...event, ...at, text: revealOne(event.text, index) })
      second += 1
    }
  }
  return { head: head.map(makeTransparent), events: revealed }
}

/** An event with spaces, and the earlier texts of the script that are shown when it starts. */
interface Reveal {
  position: number
  event: AssEvent
  spaces: number
  shown: AssEvent[]
}

/** Characters of a line besides its text. */
const LINE_CHARACTERS = 50

/** Lists the events with spaces in order, or returns null as soon as revealing them needs too many characters. */
function listReveals(events: readonly AssEvent[], characters_max: number): Reveal[] | null {
  const reveals: Reveal[] = []
  let on_screen: { position: number; event: AssEvent }[] = []
  let characters = 0
  const listed = events.map((event, position) => ({ position, event }))
  for (const entry of listed.sort((one, other) => one.event.start - other.event.start)) {
    const { position, event } = entry
    const spaces = Array.from(event.text.matchAll(SPACE)).length
    if (spaces > 0) {
      on_screen = on_screen.filter((other) => other.event.end > event.start)
      const repeated = [entry, ...on_screen].map((other) => other.event.text.length + LINE_CHARACTERS)
      characters += spaces * repeated.reduce((sum, size) => sum + size, 0)
      if (characters > characters_max) return null
      // libass moves a text away from the ones that are already shown.
      const before = on_screen.filter((other) => other.position < position)
      const shown = before.sort((one, other) => one.position - other.position).map((other) => other.event)
      reveals.push({ position, event, spaces, shown })
    }
    on_screen.push(entry)
  }
  return reveals.sort((one, other) => one.position - other.position)
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
