import type { DocumentedAccess } from './api-document.ts'

/** What the specification says of an endpoint. */
export interface SpecifiedEndpoint {
  /** `POST /api/v1/jobs/{job_id}/cancel` */
  name: string
  /** 'admin': an administrator's session; 'anyone': a session, a key or nobody. */
  access: DocumentedAccess
  /** null where it is not said. */
  success_status: number | null
}

const ACCESSES: readonly string[] = ['none', 'session', 'admin', 'either', 'anyone']

/** The specification's own tables, row by row (Endpoints). A status of `-` is one that it does not say. */
export const SPECIFIED = parse(`
GET    /api/health                                          none     200
GET    /api/ready                                           none     200

POST   /api/v1/auth/register                                none     201
POST   /api/v1/auth/login                                   none     200
GET    /api/v1/auth/me                                      session  200
POST   /api/v1/auth/password                                session  200
POST   /api/v1/auth/email/check                             none     200
GET    /api/v1/auth/email/status                            session  200
POST   /api/v1/auth/email/send-code                         session  200
POST   /api/v1/auth/email/verify                            session  200
POST   /api/v1/auth/idp/start                               none     200
POST   /api/v1/auth/idp/callback                            none     200
POST   /api/v1/auth/idp/link                                session  200
DELETE /api/v1/auth/idp/link                                session  200

GET    /api/v1/tokens                                       session  200
POST   /api/v1/tokens                                       session  201
POST   /api/v1/tokens/{token_id}/toggle                     session  200
DELETE /api/v1/tokens/{token_id}                            session  204

GET    /api/v1/me/ping                                      either   -
GET    /api/v1/me/features                                  anyone   -
GET    /api/v1/me/usage                                     session  -
GET    /api/v1/me/usage/summary                             session  -
GET    /api/v1/me/favorites                                 session  -
POST   /api/v1/me/favorites                                 session  201
DELETE /api/v1/me/favorites/{operation_id}                  session  204
PATCH  /api/v1/me/favorites/reorder                         session  200

POST   /api/v1/jobs                                         session  201
POST   /api/v1/jobs/api                                     either   201
POST   /api/v1/jobs/upload                                  either   201
GET    /api/v1/jobs                                         either   200
GET    /api/v1/jobs/{job_id}                                either   200
POST   /api/v1/jobs/{job_id}/repeat                         either   201
POST   /api/v1/jobs/{job_id}/cancel                         either   200
POST   /api/v1/jobs/{job_id}/delivered                      anyone   -

GET    /api/v1/studio/tools                                 none     200
POST   /api/v1/studio/run                                   anyone   201
POST   /api/v1/studio/batch                                 anyone   201
GET    /api/v1/studio/batches                               either   200
GET    /api/v1/studio/batches/{batch_id}                    either   200
POST   /api/v1/studio/batches/{batch_id}/cancel             either   200
POST   /api/v1/studio/batches/{batch_id}/repeat             either   201

POST   /api/v1/uploads                                      anyone   201
POST   /api/v1/uploads/presign                              anyone   201
POST   /api/v1/uploads/multipart/create                     anyone   201
POST   /api/v1/uploads/multipart/sign-part                  anyone   200
POST   /api/v1/uploads/multipart/complete                   anyone   201
POST   /api/v1/uploads/multipart/abort                      anyone   204
GET    /api/v1/uploads/download                             either   -

GET    /api/v1/public/pricing                               none     -
GET    /api/v1/billing/packages                             session  -
GET    /api/v1/billing/plans                                session  -
GET    /api/v1/billing/providers                            session  -
GET    /api/v1/billing/balance                              session  -
GET    /api/v1/billing/subscription                         session  -
GET    /api/v1/billing/ledger                               session  -
GET    /api/v1/billing/payments                             session  -
GET    /api/v1/billing/bundle-quote                         session  -
POST   /api/v1/billing/checkout                             session  200
POST   /api/v1/billing/subscribe                            session  200
POST   /api/v1/billing/subscription/cancel                  session  -
GET    /api/v1/billing/payments/{order_id}/refund-quote     session  -
POST   /api/v1/billing/payments/{order_id}/refund           session  -
GET    /api/v1/billing/refunds                              session  -

GET    /api/v1/billing/admin/payments                       admin    -
POST   /api/v1/billing/admin/payments/{order_id}/resolve    admin    200
POST   /api/v1/billing/admin/topup                          admin    200

GET    /api/v1/stats/overview                               session  -
GET    /api/v1/stats/usage                                  session  -
GET    /api/v1/stats/usage/services                         session  -
GET    /api/v1/stats/usage/summary                          session  -
GET    /api/v1/stats/logs                                   session  -

GET    /api/v1/public/config                                none     -
POST   /api/v1/public/feedback                              anyone   202
POST   /api/v1/analytics/collect                            none     202

POST   /api/v1/tg/deliver                                   either   200
POST   /api/v1/tg/webhook/{bot_id}                          none     200
POST   /api/v1/upload-sessions                              session  -
POST   /api/v1/upload-sessions/api                          either   -
GET    /api/v1/upload-sessions                              either   -
GET    /api/v1/upload-sessions/{session_id}                 either   -
`)

/** Endpoints that the tables lack, and that the list of open names gives a path of their own. */
export const NAMED = parse(`
GET    /api/v1/jobs/{job_id}/events                         anyone   -
POST   /api/v1/jobs/quote                                   either   -
GET    /api/v1/webhooks/secret                              session  -
POST   /api/v1/webhooks/secret                              session  -
GET    /api/v1/webhooks/deliveries                          either   -
POST   /api/v1/webhooks/deliveries/{delivery_id}/replay     either   -
GET    /api/v1/billing/ledger/verify                        session  -
GET    /api/v1/public/feedback/token                        none     -
DELETE /api/v1/upload-sessions/{session_id}                 either   -
GET    /api/v1/upload-links/{token}                         none     -
POST   /api/v1/upload-links/{token}/presign                 none     -
POST   /api/v1/upload-links/{token}/complete                none     -
POST   /api/v1/upload-links/{token}/file                    none     -
GET    /api/v1/admin/operations                             admin    -
PATCH  /api/v1/admin/operations/{operation_id}              admin    -
GET    /api/v1/admin/packages                               admin    -
POST   /api/v1/admin/packages                               admin    -
PATCH  /api/v1/admin/packages/{package_id}                  admin    -
GET    /api/v1/admin/plans                                  admin    -
POST   /api/v1/admin/plans                                  admin    -
PATCH  /api/v1/admin/plans/{plan_id}                        admin    -
GET    /api/v1/admin/promotions                             admin    -
POST   /api/v1/admin/promotions                             admin    -
PATCH  /api/v1/admin/promotions/{promotion_id}              admin    -
POST   /api/v1/admin/promotions/{promotion_id}/retire       admin    -
GET    /api/v1/admin/settings                               admin    -
PATCH  /api/v1/admin/settings                               admin    -
GET    /api/v1/admin/accounts                               admin    -
GET    /api/v1/admin/accounts/{account_id}                  admin    -
PATCH  /api/v1/admin/accounts/{account_id}                  admin    -
POST   /api/v1/admin/tokens/{token_id}/revoke               admin    -
GET    /api/v1/admin/refunds                                admin    -
POST   /api/v1/admin/refunds/{refund_id}/approve            admin    -
POST   /api/v1/admin/refunds/{refund_id}/reject             admin    -
GET    /api/v1/admin/jobs                                   admin    -
POST   /api/v1/admin/jobs/{job_id}/cancel                   admin    -
GET    /api/v1/admin/audit                                  admin    -
`)

function parse(table: string): SpecifiedEndpoint[] {
  const rows = table.split('\n').filter((line) => line.trim() !== '')
  return rows.map((row) => {
    const [method, path, access, status] = row.trim().split(/ +/)
    if (!isAccess(access)) throw new Error(`no access: ${row}`)
    return { name: `${method} ${path}`, access, success_status: status === '-' ? null : Number(status) }
  })
}

function isAccess(text: string | undefined): text is DocumentedAccess {
  return text !== undefined && ACCESSES.includes(text)
}
