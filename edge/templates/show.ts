import type { AccountCaller } from '../accounts/rules/caller.ts'
import type { Deps } from '../deps.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { type FoundTemplate, findVersion, listTemplates, listVersions } from './queries.ts'
import { viewTemplate, viewVersion } from './view.ts'

/** Lists the account's templates by name. */
export async function showTemplates({ db }: Deps, { account }: AccountCaller) {
  return (await listTemplates(db, account.id)).map(viewTemplate)
}

/** Shows a template with all of its versions, newest first. Throws 404. */
export async function showTemplate({ db }: Deps, { account }: AccountCaller, name: string) {
  const versions = await listVersions(db, { accountId: account.id, name })
  const [latest] = versions
  if (latest === undefined) throw new ApiError('template_not_found')
  return { ...viewTemplate(latest), versions: versions.map(({ version }) => viewVersion(version)) }
}

/** Shows one version of a template. Throws 404. */
export async function showTemplateVersion(deps: Deps, caller: AccountCaller, name: string, version: number) {
  return viewVersion((await findTemplate(deps, caller, name, version)).version)
}

/** Finds a version of the caller's template, or the latest one. Throws 404. */
export async function findTemplate(
  { db }: Deps,
  { account }: AccountCaller,
  name: string,
  version?: number | undefined,
): Promise<FoundTemplate> {
  const found = await findVersion(db, { accountId: account.id, name }, version)
  if (found === undefined) throw new ApiError('template_not_found')
  return found
}
