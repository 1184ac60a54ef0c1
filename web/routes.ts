import { lazy } from 'preact-iso'

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
  { path: '/send', component: lazy(() => import('./send/send.tsx')) },
] as const

export const NotFound = lazy(() => import('./shell/not-found.tsx'))
