export type MediaKind = 'image' | 'video' | 'audio' | 'text' | 'other'

/** Returns how a file of a content type is shown. */
export function kindOfContent(content_type: string): MediaKind {
  const [kind = ''] = content_type.split('/')
  if (kind === 'image' || kind === 'video' || kind === 'audio' || kind === 'text') return kind
  return /json|subrip|vtt/.test(content_type) ? 'text' : 'other'
}

/** Checks whether two images or videos have the same shape, up to the rounding of their sizes. */
export function haveSameShape(a: Shape, b: Shape): boolean {
  const tolerance = 1.5 / Math.min(a.width, a.height, b.width, b.height)
  return Math.abs(a.width / a.height / (b.width / b.height) - 1) <= tolerance
}

interface Shape {
  width: number
  height: number
}
