import { isSitePath } from '../../shared/text/site-path.ts'

/** Pages to which a sign-in does not return. */
const SIGN_IN_PAGES = /^\/(sign-in|sign-up|forgot-password|auth)(\/|\?|$)/

/** Returns the path to continue at after a sign-in: `next` if it is a path of this site, otherwise the studio. */
export function readNext(next: string | undefined): string {
  return next !== undefined && isSitePath(next) && !SIGN_IN_PAGES.test(next) ? next : '/studio'
}

/** Returns the address of a page for signing in or up that returns to a path of this site. */
export function withNext(page: '/sign-in' | '/sign-up' | '/forgot-password', next: string): string {
  const isUseful = next !== '/' && next !== '/studio' && !SIGN_IN_PAGES.test(next)
  return isUseful ? `${page}?${new URLSearchParams({ next })}` : page
}
