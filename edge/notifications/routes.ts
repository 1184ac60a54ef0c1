import { route } from '../http/route.ts'
import { changePreferences, showPreferences } from './preferences.ts'
import { Notifications, NotificationsChange, ProductNewsRequest, ProductNewsStarted } from './schemas.ts'
import { sendNews } from './send-product-news.ts'

const PATH = '/api/v1/me/notifications'
const shown = { status: 200, description: 'The notification preferences', schema: Notifications }

export const notificationRoutes = [
  route({
    method: 'get',
    path: PATH,
    name: 'notifications.get',
    access: 'session',
    tag: 'Caller info',
    summary: 'Get notification preferences',
    answer: shown,
    handle: ({ deps, caller }) => showPreferences(deps, caller),
  }),
  route({
    method: 'patch',
    path: PATH,
    name: 'notifications.update',
    access: 'session',
    tag: 'Caller info',
    summary: 'Change notification preferences',
    description:
      'Omitted fields keep their values. Every notification email also has a link to unsubscribe without signing in.',
    body: NotificationsChange,
    answer: shown,
    handle: ({ deps, caller, body }) => changePreferences(deps, caller, body),
  }),
  route({
    method: 'post',
    path: '/api/v1/admin/product-news',
    name: 'admin.sendProductNews',
    access: 'admin',
    tag: 'Administration',
    summary: 'Send product news to all subscribers',
    description: 'Sent to confirmed addresses in the language of each account, fifty per minute.',
    body: ProductNewsRequest,
    idempotent: true,
    answer: { status: 202, description: 'Sending has started', schema: ProductNewsStarted },
    errors: ['mail_not_configured'],
    handle: ({ deps, caller, body, record }) => sendNews(deps, caller, body, record),
  }),
]
