import { route } from '../http/route.ts'
import { deleteAccount } from './delete-account.ts'
import { AccountDeleted, AccountDeletion } from './schemas.ts'

export const accountDeletionRoutes = [
  route({
    method: 'delete',
    path: '/api/v1/auth/me',
    name: 'auth.deleteAccount',
    access: 'session',
    tag: 'Accounts and sign-in',
    summary: 'Delete the account; cannot be undone',
    description:
      'Cancels open jobs, ends sessions, API keys and the renewal of a plan, deletes files, and erases personal ' +
      'data. Remaining credits expire. Orders and the ledger are kept without personal data. An account without a ' +
      'password requires a sign-in within the last 10 minutes instead of `current_password`.',
    body: AccountDeletion,
    answer: { status: 200, description: 'The account is deleted', schema: AccountDeleted },
    errors: {
      400: 'The current password is missing or wrong',
      403: 'The account has no password, and the last sign-in is too long ago',
      409: 'The account is the last administrator, has a payment or refund in progress, or its password just changed',
      429: 'Too many wrong passwords',
    },
    handle: ({ deps, caller, body }) => deleteAccount(deps, caller, body),
  }),
]
