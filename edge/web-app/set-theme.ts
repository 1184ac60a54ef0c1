import { readCookie } from '../platform/http/cookies.ts'

/** Sets the theme that the user chose (web/shell/theme.ts), so that the first paint already has its colors. */
export function setTheme(headers: Headers, url: string, document: Response): Response {
  const theme = readCookie(headers, url, 'theme', /light|dark/)
  if (theme === null) return document
  // The tag names the file without the attribute.
  document.headers.delete('etag')
  const setAttribute = { element: (root: Element) => void root.setAttribute('data-theme', theme) }
  return new HTMLRewriter().on('html', setAttribute).transform(document)
}
