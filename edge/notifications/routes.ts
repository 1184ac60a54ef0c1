import { route } from '../http/route.ts'
import { changePreferences, showPreferences } from './preferences.ts'
import { Notifications, NotificationsChange, ProductNewsRequest, ProductNewsStarted } from './schemas.ts'
import { sendNews } from './send-product-news.ts'

const PATH = '/api/v1/me/notifications'
const shown = { status: 200, description: 'The emails that the account gets', schema: Notifications }

export const notificationRoutes = [
  route({
    method: 'get',
    path: PATH,
    access: 'session',
    tag: 'Caller info',
    summary: 'Show which notification emails the account gets',
    answer: shown,
    handle: ({ deps, caller }) => showPreferences(deps, caller),
  }),
  route({
    method: 'patch',
    path: PATH,
    access: 'session',
    tag: 'Caller info',
    summary: 'Change which notification emails the account gets',
    description:
      'Fields that are left out stay. Every such email also has a link that ends it without sign-in.',
    body: NotificationsChange,
    answer: shown,
    handle: ({ deps, caller, body }) => changePreferences(deps, caller, body),
  }),
  route({
    method: 'post',
    path: '/api/v1/admin/product-news',
    access: 'admin',
    tag: 'Administration',
    summary: 'Send product news to all subscribers',
    description: 'It goes to confirmed addresses, in the language of each account, fifty a minute.',
    body: ProductNewsRequest,
    idempotent: true,
    answer: { status: 202, description: 'The news are being sent', schema: ProductNewsStarted },
    errors: { 409: 'No mail server is configured' },
    handle: ({ deps, caller, body, record }) => sendNews(deps, caller, body, record),
  }),
]
