import { useLocation } from 'preact-iso'

/** The documentation and the legal documents are sites of their own: their links load a new document. */
export const SCOPE = /^(?!\/(docs|api|files|terms|refunds|privacy|imprint)(\/|$))/

/** Returns a function that replaces this page by another one of this site, without a new entry in the history. */
export function useReplacePage(): (path: string) => void {
  const { route } = useLocation()
  return (path) => (SCOPE.test(path) ? route(path, true) : location.replace(path))
}
