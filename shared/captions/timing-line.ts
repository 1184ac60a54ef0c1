import type { TimeRange } from '../planning/facts.ts'

/** Two to four numbers. Files separate them by all of these characters, and some put spaces around them. */
const TIME = String.raw`-?\d{1,9}(?: ?[:.,;،] ?\d{1,9}){1,3}`
const TIMING = new RegExp(
  String.raw`^ {0,99}(?:\d{1,6} {1,9})?(${TIME}) {0,9}((?:[-–—] ?){1,3})>{1,2} {0,99}(${TIME})`,
)
const LINE_CHARACTERS_MAX = 400

/** Reads a line such as `00:00:01,000 --> 00:00:03,500`. Returns null if the line has other content. */
export function readTimingLine(line: string): TimeRange | null {
  if (!line.includes('>')) return null
  // Texts written from right to left have marks of direction, and some editors use wide digits and colons.
  const plain = line
    .slice(0, LINE_CHARACTERS_MAX)
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/\s/g, ' ')
  const [, from = '', arrow = '', to = ''] = TIMING.exec(plain) ?? []
  const [start, end] = [secondsOf(from), secondsOf(to)]
  if (start === null || end === null) return null
  // Dialogue has arrows too, as in "4:3 -> 16:9".
  const is_short_arrow = arrow.trim() === '-'
  return is_short_arrow && Math.min(numbersOf(from).length, numbersOf(to).length) < 3 ? null : { start, end }
}

/** Returns the seconds of a time such as 00:00:01,500, 0:01.5 or 00:00:01; null if it is no time. */
function secondsOf(time: string): number | null {
  const numbers = numbersOf(time)
  const separators = time.replace(/[^:.,;،]/g, '')
  if (numbers.length < 2 || (numbers.length === 2 && separators !== ':')) return null
  const has_fraction = numbers.length === 4 || (numbers.length === 3 && /:[^:]$/.test(separators))
  const fraction = has_fraction ? Number(`0.${numbers.pop()}`) : 0
  const seconds = numbers.reduce((sum, number) => sum * 60 + Number(number), 0) + fraction
  return time.startsWith('-') ? 0 : seconds
}

function numbersOf(time: string): string[] {
  return time.match(/\d+/g) ?? []
}
