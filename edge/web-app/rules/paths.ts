/** Paths of the pages of the web application, as in web/routes.ts. `*` stands for one segment. */
export const PAGE_PATHS = ['/', '/studio', '/studio/*/*'] as const

/** Checks whether a path is a page of the web application, with or without a slash at the end. */
export function isPagePath(path: string): boolean {
  const segments = segmentsOf(path)
  return PAGE_PATHS.some((page) => {
    const expected = segmentsOf(page)
    return (
      expected.length === segments.length &&
      expected.every((each, index) => each === '*' || each === segments[index])
    )
  })
}

function segmentsOf(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '')
}
