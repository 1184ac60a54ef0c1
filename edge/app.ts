import { OpenAPIHono } from '@hono/zod-openapi'
import type { MiddlewareHandler } from 'hono'
import { depsFor } from './deps.ts'
import { parseEnv } from './env.ts'
import type { AppEnv } from './http/context.ts'
import { answerDocsPage } from './http/docs-page.ts'
import { describeApi } from './http/document.ts'
import { answerInvalid, handleErrors } from './http/errors.ts'
import { addHeaders } from './http/headers.ts'
import { logRequests } from './http/request-log.ts'
import { securityHeaders } from './http/security-headers.ts'
import { tellLimits } from './http/throttle.ts'
import { answerUnsubscribe } from './http/unsubscribe-page.ts'
import { answerUploadPage } from './http/upload-page.ts'
import { dropUnread, readAtMost } from './integrations/request-body.ts'
import { accountRoutes } from './routes/accounts.ts'
import { administrationRoutes } from './routes/administration.ts'
import { accountAdministrationRoutes } from './routes/administration-accounts.ts'
import { offerAdministrationRoutes } from './routes/administration-offers.ts'
import { billingRoutes } from './routes/billing.ts'
import { callerRoutes } from './routes/caller.ts'
import { configRoutes } from './routes/config.ts'
import { fileRoutes } from './routes/files.ts'
import { healthRoutes } from './routes/health.ts'
import { identityRoutes } from './routes/identity.ts'
import { intakeRoutes } from './routes/intake.ts'
import { internalRoutes } from './routes/internal.ts'
import { jobRoutes } from './routes/jobs.ts'
import { messengerRoutes } from './routes/messenger.ts'
import { notificationRoutes } from './routes/notifications.ts'
import { offerRoutes } from './routes/offers.ts'
import { orderRoutes } from './routes/orders.ts'
import { paymentCallbackRoutes } from './routes/payment-callbacks.ts'
import { refundRoutes } from './routes/refunds.ts'
import { statisticsRoutes } from './routes/statistics.ts'
import { studioRoutes } from './routes/studio.ts'
import { subscriptionRoutes } from './routes/subscriptions.ts'
import { tokenRoutes } from './routes/tokens.ts'
import { unmatchedEventRoutes } from './routes/unmatched-events.ts'
import { uploadLinkRoutes } from './routes/upload-links.ts'
import { uploadSessionRoutes } from './routes/upload-sessions.ts'
import { uploadRoutes } from './routes/uploads.ts'
import { webhookRoutes } from './routes/webhooks.ts'
import { ApiError } from './services/api-error.ts'

const JSON_BYTES_MAX = 1024 * 1024

/** Forms with a file, and what is thrown away where it is too long: measured as they come in. */
const STREAMED_PATHS = ['/api/v1/uploads', '/api/v1/jobs/upload', '/api/v1/analytics/collect']
const STREAMED_LINK = /^\/api\/v1\/upload-links\/[^/]+\/file$/
/** Signed by those who send them: what the headers show not to be is not read. */
const SIGNED_PATHS = /^\/api\/v1\/(billing\/callbacks|tg\/webhook)\//

const ROUTES = [
  ...healthRoutes,
  ...accountRoutes,
  ...identityRoutes,
  ...tokenRoutes,
  ...callerRoutes,
  ...jobRoutes,
  ...studioRoutes,
  ...uploadRoutes,
  ...uploadSessionRoutes,
  ...uploadLinkRoutes,
  ...messengerRoutes,
  ...webhookRoutes,
  ...billingRoutes,
  ...statisticsRoutes,
  ...configRoutes,
  ...notificationRoutes,
  ...intakeRoutes,
  ...offerRoutes,
  ...orderRoutes,
  ...paymentCallbackRoutes,
  ...refundRoutes,
  ...subscriptionRoutes,
  ...unmatchedEventRoutes,
  ...offerAdministrationRoutes,
  ...administrationRoutes,
  ...accountAdministrationRoutes,
]

/** The whole HTTP side of the Worker. Middleware runs in the order written here. */
export function createApp(): OpenAPIHono<AppEnv> {
  const app = new OpenAPIHono<AppEnv>({
    defaultHook: (result, context) =>
      result.success ? undefined : answerInvalid(context, result.target, result.error.issues),
  })
  app.use(async (context, next) => {
    const requestId = crypto.randomUUID()
    context.set('requestId', requestId)
    await next()
    addHeaders(context, { 'X-Request-Id': requestId, ...securityHeaders(context.res.headers) })
  })
  app.use(async ({ req: { raw } }, next) => {
    await next()
    await dropUnread(raw)
  })
  // By itself, so that a setting that is missing is answered with an id as well.
  app.use((context, next) => {
    context.set('deps', depsFor(parseEnv(context.env), context.executionCtx))
    return next()
  })
  app.use('/api/v1/*', logRequests)
  // Answers are one caller's own, with balances and tokens in them: nobody keeps them.
  app.use('/api/*', async (context, next) => {
    await next()
    if (!context.res.headers.has('cache-control')) addHeaders(context, { 'Cache-Control': 'no-store' })
  })
  app.use('/api/*', tellLimits)
  const limitBody = limitBytes(JSON_BYTES_MAX, 'the body is larger than 1 MiB; send files through an upload')
  app.use('/api/*', (context, next) => {
    const { path } = context.req
    const isReadLater = STREAMED_PATHS.includes(path) || STREAMED_LINK.test(path) || SIGNED_PATHS.test(path)
    return isReadLater ? next() : limitBody(context, next)
  })
  handleErrors(app)
  for (const route of ROUTES) route.mount(app)
  app.route('/', internalRoutes)
  app.route('/', fileRoutes)
  describeApi(app)
  app.get('/', (context) => context.redirect('/docs'))
  app.get('/docs', () => answerDocsPage())
  app.on(['GET', 'POST'], '/unsubscribe/:token/:topic', (context) => {
    const { token, topic } = context.req.param()
    return answerUnsubscribe(context.get('deps'), context.req.raw, token, topic)
  })
  app.get('/send', (context) => answerUploadPage(context.get('deps').env))
  return app
}

/** Refuses longer bodies by 413. Those that do not say how long they are come into memory first. */
function limitBytes(bytes_max: number, refusal: string): MiddlewareHandler<AppEnv> {
  return async (context, next) => {
    const { raw } = context.req
    if (raw.body === null) return next()
    const declared = raw.headers.has('transfer-encoding') ? null : raw.headers.get('content-length')
    if (declared === null) {
      const body = await readAtMost(raw, bytes_max)
      if (body === null) throw new ApiError(413, refusal)
      context.req.raw = new Request(raw, { body })
    } else if (Number(declared) > bytes_max) {
      throw new ApiError(413, refusal)
    }
    return next()
  }
}
