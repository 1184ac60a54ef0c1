import { findOperation } from '../../shared/operations/index.ts'
import type { ServiceSlug } from '../../shared/planning/operation.ts'
import { authorizedWork } from '../accounts/authorized-work.ts'
import type { AccountCaller } from '../accounts/rules/caller.ts'
import type { Deps } from '../deps.ts'
import { checkJobPlan } from '../jobs/make-plans.ts'
import { IN_TEMPLATE } from '../jobs/rules/pipeline.ts'
import { SOME_LINK } from '../jobs/rules/presets.ts'
import type { Statement } from '../platform/database/client.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { countBytes } from '../uploads/rules/addresses.ts'
import {
  changeTemplateStatements,
  countTemplates,
  type FoundTemplate,
  findVersion,
  insertTemplateStatements,
} from './queries.ts'
import { expandTemplate, isSameContent, type TemplateContent } from './rules/content.ts'
import { viewTemplate } from './view.ts'

/** Contract: Limits, Sizes. */
const TEMPLATES_MAX = 100
const VERSIONS_MAX = 100
/** Bytes of the operations of all templates and versions as JSON. */
const BYTES_MAX = 4 * 1024 ** 2

export interface TemplateRequest extends TemplateContent {
  description: string | null
}

/**
 * Saves a template: creates it, or adds a version if its content has changed. Throws 400 and 404 like the submission
 * of the job that it expands to, and 409 at the maximum number of templates or versions, or of their bytes. Contract: Templates, Save.
 */
export async function saveTemplate(
  deps: Deps,
  caller: AccountCaller,
  name: string,
  request: TemplateRequest,
) {
  await checkContent(deps, request)
  const named = { accountId: caller.account.id, name }
  return authorizedWork(deps, caller, {
    load: async () => {
      const [known, held] = await Promise.all([
        findVersion(deps.db, named, undefined),
        countTemplates(deps.db, named.accountId),
      ])
      return { known, held }
    },
    decide: ({ known, held }, now) => {
      const saved = makeTemplate(named, request, known, now)
      return { statements: statementsOf(deps, saved, known, held), answer: viewTemplate(saved) }
    },
  })
}

/** Validates the content like a job, but without its file. */
async function checkContent(deps: Deps, content: TemplateContent): Promise<void> {
  const job = expandTemplate(content)
  const operation = findOperation(job.service_slug as ServiceSlug, job.operation_key)
  const input = operation?.accepts.includes('link') ? SOME_LINK : {}
  await checkJobPlan(deps, { ...job, params: { ...input, ...job.params } }, IN_TEMPLATE)
}

function makeTemplate(
  named: { accountId: number; name: string },
  { service_slug, operations, description }: TemplateRequest,
  known: FoundTemplate | undefined,
  now: number,
): FoundTemplate {
  const isSame =
    known !== undefined &&
    isSameContent(
      { service_slug, operations },
      { service_slug: known.version.serviceSlug, operations: known.version.operations },
    )
  if (isSame) {
    const updatedAt = description === known.template.description ? known.template.updatedAt : now
    return { version: known.version, template: { ...known.template, description, updatedAt } }
  }
  const version = (known?.version.version ?? 0) + 1
  return {
    template: {
      ...named,
      ...{ description, version },
      createdAt: known?.template.createdAt ?? now,
      updatedAt: now,
    },
    version: { ...named, version, serviceSlug: service_slug, operations: [...operations], createdAt: now },
  }
}

function statementsOf(
  { db }: Deps,
  saved: FoundTemplate,
  known: FoundTemplate | undefined,
  held: { templates: number; bytes: number },
): Statement[] {
  const isNew = known === undefined
  const limits = { templates_max: TEMPLATES_MAX, bytes_max: BYTES_MAX }
  if (isNew && held.templates >= TEMPLATES_MAX) throw new ApiError('too_many_templates', limits)
  if (saved.version.version > VERSIONS_MAX) {
    throw new ApiError('too_many_template_versions', { versions_max: VERSIONS_MAX })
  }
  const added_bytes =
    saved.version === known?.version ? 0 : countBytes(JSON.stringify(saved.version.operations))
  if (added_bytes > 0 && held.bytes + added_bytes > BYTES_MAX) {
    throw new ApiError('templates_too_large', limits)
  }
  return isNew
    ? insertTemplateStatements(db, saved, limits)
    : changeTemplateStatements(db, saved, known.template.version, BYTES_MAX)
}
