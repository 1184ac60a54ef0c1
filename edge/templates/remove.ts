import { authorizedWork } from '../accounts/authorized-work.ts'
import type { AccountCaller } from '../accounts/rules/caller.ts'
import type { Deps } from '../deps.ts'
import { deleteTemplateStatements } from './queries.ts'
import { findTemplate } from './show.ts'

/** Deletes a template with all of its versions. Jobs that used the template are unchanged. Throws 404. */
export function deleteTemplate(deps: Deps, caller: AccountCaller, name: string): Promise<void> {
  return authorizedWork(deps, caller, {
    load: () => findTemplate(deps, caller, name),
    decide: ({ template }) => ({
      statements: deleteTemplateStatements(deps.db, template),
      answer: undefined,
    }),
  })
}
