import { describeForm } from '../../shared/forms/describe-form.ts'
import type { Form } from '../../shared/forms/form.ts'
import { formText, translated } from '../../shared/forms/form-text.ts'
import { TOOL_GROUPS, type ToolGroupKey } from '../../shared/forms/tool-groups.ts'
import { formOf } from '../../shared/operations/forms.ts'
import { findOperation } from '../../shared/operations/index.ts'
import type { ServiceSlug } from '../../shared/planning/operation.ts'
import { chainRole } from '../../shared/planning/pipeline.ts'
import type { Locale } from '../../shared/text/texts.ts'
import type { Deps } from '../deps.ts'
import { type SharedAnswer, toSharedAnswer } from '../platform/http/shared-answer.ts'
import { loadOperations, type StoredOperation } from './queries.ts'

/** The last listing in each language, because describing all forms takes longer than most requests. */
const written = new Map<Locale, { rows: string; listing: SharedAnswer }>()

/** Lists the current catalog in one language. Contract: Catalog, Tools listing; Catalog, Forms. */
export async function listTools(deps: Deps, locale: Locale): Promise<SharedAnswer> {
  const stored = await loadOperations(deps.db, deps.clock.now())
  const rows = JSON.stringify(stored)
  const last = written.get(locale)
  if (last?.rows === rows) return last.listing
  const listing = toSharedAnswer(stored.flatMap((row) => viewTool(row, locale)))
  written.set(locale, { rows, listing })
  return listing
}

/** Returns the listed tool; nothing for a stored operation that the code no longer has. */
function viewTool(row: StoredOperation, locale: Locale) {
  const operation = findOperation(row.serviceSlug as ServiceSlug, row.operationKey)
  if (operation === undefined) return []
  const form = formOf(operation)
  const presets = row.presets.map(({ label, params }) => ({
    label: presetLabel(label, form, locale),
    params,
  }))
  return [
    {
      operation_id: row.id,
      service_slug: row.serviceSlug,
      operation_key: row.operationKey,
      title: translated(locale, operation.title, form.title),
      description: translated(locale, operation.description, form.description),
      credits_per_call: row.creditsPerCall,
      accepts: operation.accepts,
      enabled: row.enabled,
      config: {
        family: operation.family,
        summary: formText(locale, form.summary),
        group: describeGroup(form.group, locale),
        chain: chainRole(operation),
        fields: describeForm(operation, form, locale),
        presets,
      },
      presets: presets.map(({ label }, index) => ({ index, label })),
    },
  ]
}

/** Translates the label of a preset, unless an administrator wrote it. */
function presetLabel(label: string, { presets }: Form, locale: Locale): string {
  const translations = Object.hasOwn(presets, label) ? presets[label] : undefined
  return translated(locale, label, translations ?? 'same')
}

function describeGroup(key: ToolGroupKey, locale: Locale) {
  const { title, description } = TOOL_GROUPS[key]
  return { key, title: formText(locale, title), description: formText(locale, description) }
}
