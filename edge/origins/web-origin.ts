/** A host name has at most 253 characters. */
export const ORIGIN_LENGTH_MAX = 253 + 'https://:65535'.length

/** Checks whether a text is the origin of a web page, exactly as browsers write it in the Origin header. */
export function isWebOrigin(text: string): boolean {
  if (text.length > ORIGIN_LENGTH_MAX || text.includes('*')) return false
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && url.origin === text
}
