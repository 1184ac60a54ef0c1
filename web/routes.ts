import { lazyPage } from './shell/lazy-page.tsx'

/** Its document has its content before the script has loaded. */
export const landing = lazyPage(() => import('./landing/landing.tsx'))
const account = lazyPage(() => import('./account/account.tsx'))
const studio = lazyPage(() => import('./studio/studio.tsx'))

/**
 * Pages by path. Each page loads when it is opened. The Worker answers the same paths with index.html: add a path to
 * edge/web-app/rules/paths.ts, too.
 */
export const ROUTES = [
  { path: '/', component: landing },
  { path: '/studio', component: studio },
  { path: '/studio/chain', component: studio },
  { path: '/studio/:service/:operation', component: studio },
  { path: '/templates', component: lazyPage(() => import('./chains/templates.tsx')) },
  { path: '/upload-links', component: lazyPage(() => import('./upload-links/upload-links.tsx')) },
  { path: '/upload-links/new', component: lazyPage(() => import('./upload-links/new-link.tsx')) },
  { path: '/send', component: lazyPage(() => import('./send/send.tsx')) },
  { path: '/sign-in', component: lazyPage(() => import('./account/sign-in.tsx')) },
  { path: '/sign-up', component: lazyPage(() => import('./account/sign-up.tsx')) },
  { path: '/forgot-password', component: lazyPage(() => import('./account/forgot-password.tsx')) },
  { path: '/account', component: account },
  { path: '/account/:section', component: account },
  { path: '/jobs', component: lazyPage(() => import('./jobs/jobs.tsx')) },
  { path: '/jobs/:id', component: lazyPage(() => import('./jobs/job.tsx')) },
  { path: '/status', component: lazyPage(() => import('./status/status.tsx')) },
  { path: '/auth/callback', component: lazyPage(() => import('./account/callback.tsx')) },
  { path: '/auth/reset-password', component: lazyPage(() => import('./account/reset-password.tsx')) },
  { path: '/billing/return', component: lazyPage(() => import('./billing/return.tsx')) },
  { path: '/billing/withdraw', component: lazyPage(() => import('./billing/withdraw.tsx')) },
  { path: '/billing/cancel-renewal', component: lazyPage(() => import('./billing/cancel-renewal.tsx')) },
  { path: '/billing/payment-method', component: lazyPage(() => import('./billing/payment-method.tsx')) },
  { path: '/unsubscribe/:token/:topic', component: lazyPage(() => import('./unsubscribe/unsubscribe.tsx')) },
] as const

export const NotFound = lazyPage(() => import('./shell/not-found.tsx'))
