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
      'data. Remaining credits expire, after a refund if one is due and `refund` is `request`. Orders and the ledger are kept without personal data. An account without a ' +
      'password requires a sign-in within the last 10 minutes instead of `current_password`.',
    body: AccountDeletion,
    answer: { status: 200, description: 'The account is deleted', schema: AccountDeleted },
    errors: [
      'current_password_required',
      'wrong_current_password',
      'recent_sign_in_required',
      'password_change_conflict',
      'last_administrator',
      'payment_in_progress',
      'refund_due',
      'too_many_attempts',
    ],
    handle: ({ deps, caller, body }) => deleteAccount(deps, caller, body),
  }),
]
