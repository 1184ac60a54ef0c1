/** Parts of an SVG that are not drawn as elsewhere, or that reach beyond the file. */
const ACTIVE: readonly [RegExp, SvgPart][] = [
  [/<!ENTITY/i, 'entities'],
  [/<(\w+:)?script[\s/>]/i, 'scripts'],
  [/<\?xml-stylesheet|@import|<(\w+:)?include[\s/>]/i, 'references'],
  [/url\(\s*["']?(?!\s*["']?\s*(#|data:|\)))/i, 'references'],
  // Links of `a` only lead somewhere; those of other elements are drawn.
  [/<(?!(\w+:)?a\s)[\w:]+\s[^>]*?\bhref\s*=\s*(["'])\s*(?!#|data:|\2)/i, 'references'],
]
export type SvgPart = 'entities' | 'scripts' | 'references'

/** CSS pixels of each unit. */
const UNITS: Readonly<Record<string, number>> = {
  ...{ px: 1, '': 1, pt: 4 / 3, pc: 16, in: 96, cm: 96 / 2.54, mm: 96 / 25.4, q: 96 / 101.6, em: 16, ex: 8 },
}
/** The size of an SVG that declares none. */
const DEFAULT = { width: 300, height: 150 }

/** Finds a part of an SVG that is not supported. Returns null if there is none. */
export function findActivePart(text: string): SvgPart | null {
  const bare = text.replaceAll(/<!--.*?-->/gs, '')
  return ACTIVE.find(([pattern]) => pattern.test(bare))?.[1] ?? null
}

/** Reads the size of an SVG in whole CSS pixels: `width` and `height`, or what `viewBox` leaves open of them. */
export function readSvgSize(text: string): { width: number; height: number } {
  const [root = ''] = /<(\w+:)?svg[\s>][^>]*/i.exec(text.replaceAll(/<!--.*?-->/gs, '')) ?? []
  const attribute = (name: string) => new RegExp(`\\s${name}\\s*=\\s*["']([^"']*)`).exec(root)?.[1] ?? ''
  const [width, height] = [readLength(attribute('width')), readLength(attribute('height'))]
  const [, , box_width = 0, box_height = 0] = attribute('viewBox')
    .trim()
    .split(/[\s,]+/)
    .map(Number)
  const box = box_width > 0 && box_height > 0 ? { width: box_width, height: box_height } : DEFAULT
  const size = {
    width: width ?? (height === null ? box.width : (height * box.width) / box.height),
    height: height ?? (width === null ? box.height : (width * box.height) / box.width),
  }
  return { width: Math.max(1, Math.round(size.width)), height: Math.max(1, Math.round(size.height)) }
}

/** Returns a length in CSS pixels; null for none, and for one in percent. */
function readLength(text: string): number | null {
  const [, digits, unit = ''] = /^\s*([\d.]+(?:e[+-]?\d+)?)\s*([a-z]*)\s*$/i.exec(text) ?? []
  const scale = UNITS[unit.toLowerCase()]
  return digits === undefined || scale === undefined ? null : Number(digits) * scale
}
