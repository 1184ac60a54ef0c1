import { OpenAPIHono } from '@hono/zod-openapi'
import type { Handler, MiddlewareHandler } from 'hono'
import { parseTraceparent } from '../shared/protocol/traceparent.ts'
import { accountDeletionRoutes } from './account-deletion/routes.ts'
import { accountExportRoutes } from './account-export/routes.ts'
import { callerRoutes } from './accounts/caller-routes.ts'
import { accountRoutes } from './accounts/routes.ts'
import { accountAdministrationRoutes } from './administration/account-routes.ts'
import { offerAdministrationRoutes } from './administration/offer-routes.ts'
import { administrationRoutes } from './administration/routes.ts'
import { unmatchedEventRoutes } from './administration/unmatched-event-routes.ts'
import { tokenRoutes } from './api-keys/routes.ts'
import { billingRoutes } from './credits/routes.ts'
import { describeApi } from './documentation/document.ts'
import { answerSite } from './documentation/site.ts'
import { parseEnv } from './env.ts'
import { intakeRoutes } from './feedback/routes.ts'
import { healthRoutes } from './health/routes.ts'
import type { AppEnv } from './http/context.ts'
import { shareAcrossOrigins } from './http/cross-origin.ts'
import { answerInvalid, handleErrors, localeOf } from './http/errors.ts'
import { logRequests } from './http/log-requests.ts'
import { PathRouter } from './http/path-router.ts'
import { refuseOtherMethods } from './http/refuse-other-methods.ts'
import { refuseOverload } from './http/refuse-overload.ts'
import { addLimitHeaders } from './http/throttle.ts'
import { identityRoutes } from './identity/routes.ts'
import { internalRoutes } from './jobs/report-routes.ts'
import { jobRoutes } from './jobs/routes.ts'
import { messengerRoutes } from './messenger/routes.ts'
import { metricsRoutes } from './metrics/routes.ts'
import { notificationRoutes } from './notifications/routes.ts'
import { offerRoutes } from './offers/routes.ts'
import { openDeps } from './open-deps.ts'
import { orderRoutes } from './orders/routes.ts'
import { passwordResetRoutes } from './password-resets/routes.ts'
import { paymentCallbackRoutes } from './payments/routes.ts'
import { ApiError } from './platform/errors/api-error.ts'
import { addHeaders } from './platform/http/headers.ts'
import { dropUnread, readAtMost } from './platform/http/request-body.ts'
import { securityHeaders } from './platform/http/security-headers.ts'
import { receiptRoutes } from './receipts/routes.ts'
import { refundRoutes } from './refunds/routes.ts'
import { configRoutes } from './settings/routes.ts'
import { statisticsRoutes } from './statistics/routes.ts'
import { storageConnectionRoutes } from './storage-connections/routes.ts'
import { studioRoutes } from './studio/routes.ts'
import { subscriptionRoutes } from './subscriptions/routes.ts'
import { templateRoutes } from './templates/routes.ts'
import { uploadLinkRoutes } from './upload-links/public-routes.ts'
import { uploadSessionRoutes } from './upload-links/routes.ts'
import { fileRoutes } from './uploads/file-routes.ts'
import { uploadRoutes } from './uploads/routes.ts'
import { answerUnsubscribePage } from './web-app/unsubscribe-page.ts'
import { webhookEndpointRoutes } from './webhooks/endpoint-routes.ts'
import { webhookRoutes } from './webhooks/routes.ts'

const JSON_BYTES_MAX = 1024 * 1024

/** Paths whose body is streamed. Their handlers enforce the size limit while reading. */
const STREAMED_PATHS = ['/api/v1/uploads', '/api/v1/jobs/upload', '/api/v1/analytics/collect']
const STREAMED_LINK = /^\/api\/v1\/upload-links\/[^/]+\/file$/
/** Signed by their senders. The handlers do not read the body if the headers are already invalid. */
const SIGNED_PATHS = /^\/api\/v1\/(billing\/callbacks|tg\/webhook)\//

const ROUTES = [
  ...healthRoutes,
  ...accountRoutes,
  ...passwordResetRoutes,
  ...accountDeletionRoutes,
  ...accountExportRoutes,
  ...identityRoutes,
  ...tokenRoutes,
  ...callerRoutes,
  ...jobRoutes,
  ...studioRoutes,
  ...templateRoutes,
  ...uploadRoutes,
  ...storageConnectionRoutes,
  ...uploadSessionRoutes,
  ...uploadLinkRoutes,
  ...messengerRoutes,
  ...webhookRoutes,
  ...webhookEndpointRoutes,
  ...billingRoutes,
  ...statisticsRoutes,
  ...configRoutes,
  ...notificationRoutes,
  ...intakeRoutes,
  ...offerRoutes,
  ...orderRoutes,
  ...paymentCallbackRoutes,
  ...receiptRoutes,
  ...refundRoutes,
  ...subscriptionRoutes,
  ...unmatchedEventRoutes,
  ...offerAdministrationRoutes,
  ...administrationRoutes,
  ...accountAdministrationRoutes,
]

/** The endpoints under /api, for types of their requests and responses. */
export type ApiRoute = (typeof ROUTES)[number]

/** Creates the Worker's HTTP app. Middleware runs in the order in which it is added here. */
export function createApp(): OpenAPIHono<AppEnv> {
  const app = new OpenAPIHono<AppEnv>({
    router: new PathRouter(),
    defaultHook: (result, context) =>
      result.success ? undefined : answerInvalid(context, result.target, result.error.issues),
  })
  app.use(async (context, next) => {
    const requestId = crypto.randomUUID()
    context.set('requestId', requestId)
    await next()
    addHeaders(context, {
      'X-Request-Id': requestId,
      ...securityHeaders(context.req.url, context.res.headers),
    })
  })
  app.use(async ({ req: { raw } }, next) => {
    await next()
    await dropUnread(raw)
  })
  // Parses the environment in middleware, so the error for a missing setting also has a request id.
  app.use((context, next) => {
    const deps = openDeps(parseEnv(context.env), context.executionCtx)
    const caller_trace = parseTraceparent(context.req.header('traceparent'))
    context.set('deps', { ...deps, locale: localeOf(context), caller_trace })
    return next()
  })
  app.use(shareAcrossOrigins)
  app.use('/api/v1/*', logRequests)
  app.use('/api/*', refuseOverload)
  // Responses contain one caller's balances and tokens, so no cache may store them.
  app.use('/api/*', async (context, next) => {
    await next()
    if (!context.res.headers.has('cache-control')) addHeaders(context, { 'Cache-Control': 'no-store' })
  })
  app.use('/api/*', addLimitHeaders)
  const limitBody = limitBytes(JSON_BYTES_MAX)
  app.use('/api/*', (context, next) => {
    const { path } = context.req
    const isReadLater = STREAMED_PATHS.includes(path) || STREAMED_LINK.test(path) || SIGNED_PATHS.test(path)
    return isReadLater ? next() : limitBody(context, next)
  })
  app.use('/api/*', refuseOtherMethods(ROUTES))
  handleErrors(app)
  for (const route of ROUTES) route.mount(app)
  app.route('/', internalRoutes)
  app.route('/', metricsRoutes)
  app.route('/', fileRoutes)
  describeApi(app)
  app.get('/docs/api/*', (context) => context.redirect('/docs/endpoints', 301))
  app.get('/docs', (context) => answerSite(context, '/docs/'))
  app.get('/docs/*', (context) => answerSite(context))
  app.get('/llms.txt', (context) => answerSite(context, '/docs/llms.txt'))
  app.on(
    ['GET', 'POST'],
    ['/unsubscribe/:token/:topic', '/unsubscribe/:token/:topic/'],
    answerUnsubscribePage as Handler,
  )
  return app
}

/** Rejects larger bodies with 413. Buffers a body whose length is not declared. */
function limitBytes(bytes_max: number): MiddlewareHandler<AppEnv> {
  return async (context, next) => {
    const { raw } = context.req
    if (raw.body === null) return next()
    const declared = raw.headers.has('transfer-encoding') ? null : raw.headers.get('content-length')
    if (declared === null) {
      const body = await readAtMost(raw, bytes_max)
      if (body === null) throw new ApiError('body_too_large', { bytes_max })
      context.req.raw = new Request(raw, { body })
    } else if (Number(declared) > bytes_max) {
      throw new ApiError('body_too_large', { bytes_max })
    }
    return next()
  }
}
