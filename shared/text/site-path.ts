const PATH_LENGTH_MAX = 2048

/**
 * Checks that the text is a path on this site, optionally with a query. Rejects text that a browser could resolve
 * to another site.
 */
export function isSitePath(text: string): boolean {
  // Rejects control characters, because browsers strip tabs and newlines from URLs.
  return text.length <= PATH_LENGTH_MAX && /^\/(?![/\\])[^\\ \p{Cc}]*$/u.test(text)
}
