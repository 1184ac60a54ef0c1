import { lazy } from 'preact-iso'

const account = lazy(() => import('./account/account.tsx'))
const studio = lazy(() => import('./studio/studio.tsx'))

/**
 * Pages by path. Each page loads when it is opened. The Worker answers the same paths with index.html: add a path to
 * edge/web-app/rules/paths.ts, too.
 */
export const ROUTES = [
  { path: '/', component: lazy(() => import('./landing/landing.tsx')) },
  { path: '/studio', component: studio },
  { path: '/studio/chain', component: studio },
  { path: '/studio/:service/:operation', component: studio },
  { path: '/templates', component: lazy(() => import('./chains/templates.tsx')) },
  { path: '/upload-links', component: lazy(() => import('./upload-links/upload-links.tsx')) },
  { path: '/upload-links/new', component: lazy(() => import('./upload-links/new-link.tsx')) },
  { path: '/send', component: lazy(() => import('./send/send.tsx')) },
  { path: '/sign-in', component: lazy(() => import('./account/sign-in.tsx')) },
  { path: '/sign-up', component: lazy(() => import('./account/sign-up.tsx')) },
  { path: '/forgot-password', component: lazy(() => import('./account/forgot-password.tsx')) },
  { path: '/account', component: account },
  { path: '/account/:section', component: account },
  { path: '/jobs', component: lazy(() => import('./jobs/jobs.tsx')) },
  { path: '/jobs/:id', component: lazy(() => import('./jobs/job.tsx')) },
  { path: '/status', component: lazy(() => import('./status/status.tsx')) },
  { path: '/auth/callback', component: lazy(() => import('./account/callback.tsx')) },
  { path: '/auth/reset-password', component: lazy(() => import('./account/reset-password.tsx')) },
  { path: '/billing/return', component: lazy(() => import('./billing/return.tsx')) },
  { path: '/billing/cancel-renewal', component: lazy(() => import('./billing/cancel-renewal.tsx')) },
  { path: '/unsubscribe/:token/:topic', component: lazy(() => import('./unsubscribe/unsubscribe.tsx')) },
] as const

export const NotFound = lazy(() => import('./shell/not-found.tsx'))
