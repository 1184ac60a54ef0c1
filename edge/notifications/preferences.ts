import { authorizedWork } from '../accounts/authorized-work.ts'
import type { SessionCaller } from '../accounts/rules/caller.ts'
import type { Deps } from '../deps.ts'
import { addPreferencesStatement, changePreferencesStatements, findPreferences } from './queries.ts'
import type { JobNotifications } from './rules/preferences.ts'

/** Returns which emails the account receives once its address is confirmed. */
export async function showPreferences({ db }: Deps, { account }: SessionCaller) {
  const stored = await findPreferences(db, account.id)
  return {
    email_verified: account.email_verified,
    job_notifications: stored?.jobNotifications ?? 'daily',
    product_news: stored?.productNews ?? true,
  }
}

/** Handles PATCH /me/notifications. Throws 401 if the session has ended. */
export async function changePreferences(
  deps: Deps,
  caller: SessionCaller,
  choice: { job_notifications?: JobNotifications | undefined; product_news?: boolean | undefined },
) {
  const { job_notifications, product_news } = choice
  const changed = {
    ...(job_notifications === undefined ? {} : { jobNotifications: job_notifications }),
    ...(product_news === undefined ? {} : { productNews: product_news }),
  }
  await authorizedWork(deps, caller, {
    load: async () => undefined,
    decide: (_, now) => ({
      statements: [
        addPreferencesStatement(deps.db, caller.account.id, now),
        ...changePreferencesStatements(deps.db, caller.account.id, changed, now),
      ],
      answer: undefined,
    }),
  })
  return showPreferences(deps, caller)
}
