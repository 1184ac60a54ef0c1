import { route } from '../http/route.ts'
import { streamText } from '../platform/http/stream-text.ts'
import { exportAccount } from './export-account.ts'
import { AccountExport } from './schemas.ts'

export const accountExportRoutes = [
  route({
    method: 'get',
    path: '/api/v1/auth/me/export',
    name: 'auth.exportAccount',
    access: 'session',
    tag: 'Accounts and sign-in',
    summary: 'Download everything that is stored about the account',
    description:
      'A JSON document without secrets, streamed as it is read. At most three exports per 24 hours. Rows that change ' +
      'during the export may appear in their old or new state.',
    answer: { status: 200, description: 'The export', schema: AccountExport },
    errors: ['too_many_attempts'],
    handle: async ({ deps, caller }) =>
      new Response(streamText(await exportAccount(deps, caller)), {
        headers: {
          'content-type': 'application/json',
          'content-disposition': 'attachment; filename="account.json"',
        },
      }),
  }),
]
