/** A script: its header with the styles, and its timed texts. */
export interface AssScript {
  head: readonly string[]
  events: readonly AssEvent[]
}

export interface AssEvent {
  /** Seconds. */
  start: number
  end: number
  style: string
  text: string
}

/** Writes a complete script. */
export function writeScript({ head, events }: AssScript): string {
  return [
    ...head,
    '',
    '[Events]',
    'Format: Start, End, Style, Text',
    ...events.map(
      ({ start, end, style, text }) => `Dialogue: ${clock(start)},${clock(end)},${style},${text}`,
    ),
    '',
  ].join('\n')
}

/** Formats a time for ASS: 3725.5 → "1:02:05.50". */
function clock(seconds: number): string {
  const hundredths = hundredthsOf(seconds)
  const two = (value: number) => String(value % 60).padStart(2, '0')
  const whole = Math.floor(hundredths / 100)
  const fraction = String(hundredths % 100).padStart(2, '0')
  return `${Math.floor(whole / 3600)}:${two(Math.floor(whole / 60))}:${two(whole)}.${fraction}`
}

/** Rounds a time to the precision of ASS. */
export function hundredthsOf(seconds: number): number {
  return Math.max(0, Math.round(seconds * 100))
}
