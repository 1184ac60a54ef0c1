/** Paths of the pages of the web application, as in web/routes.ts. `*` stands for one segment. */
export const PAGE_PATHS = [
  '/',
  '/studio',
  '/studio/chain',
  '/studio/*/*',
  '/templates',
  '/send',
  '/upload-links',
  '/upload-links/new',
  '/sign-in',
  '/sign-up',
  '/forgot-password',
  '/account',
  '/account/*',
  '/jobs',
  '/jobs/*',
  '/status',
  '/auth/callback',
  '/auth/reset-password',
  '/billing/return',
  '/billing/withdraw',
  '/billing/cancel-renewal',
  '/billing/payment-method',
  '/unsubscribe/*/*',
] as const

/** Checks whether a path is a page of the web application, with or without one slash at the end. */
export function isPagePath(path: string): boolean {
  const segments = path.replace(/(?<=.)\/$/, '').split('/')
  return PAGE_PATHS.some((page) => {
    const expected = page.split('/')
    return (
      expected.length === segments.length &&
      expected.every((each, index) => (each === '*' ? segments[index] !== '' : each === segments[index]))
    )
  })
}

/** First segments of the pages that belong to one person. Search engines must not list them. */
const PERSONAL_PAGES = [
  'send',
  'templates',
  'upload-links',
  'account',
  'jobs',
  'auth',
  'billing',
  'unsubscribe',
]

/** Checks whether search engines may list a page. */
export function isIndexed(path: string): boolean {
  return !PERSONAL_PAGES.includes(path.split('/')[1] ?? '')
}
