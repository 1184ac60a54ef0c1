import { createHash } from 'node:crypto'
import { describeForm } from '../../shared/forms/describe-form.ts'
import { formText, translated } from '../../shared/forms/form-text.ts'
import { TOOL_GROUPS, type ToolGroupKey } from '../../shared/forms/tool-groups.ts'
import { formOf } from '../../shared/operations/forms.ts'
import { findOperation } from '../../shared/operations/index.ts'
import type { ServiceSlug } from '../../shared/planning/operation.ts'
import type { Locale } from '../../shared/text/texts.ts'
import type { Deps } from '../deps.ts'
import { loadOperations, type StoredOperation } from './queries.ts'

/** The listing in one language, ready to send. */
export interface ToolsListing {
  locale: Locale
  json: string
  /** Hash of the listing, which differs between languages. */
  etag: string
}

/** Cached as long as the rows are, because describing all forms takes longer than most requests. */
const written = new WeakMap<StoredOperation[], Map<Locale, ToolsListing>>()

/** Lists the current catalog in one language. Contract: Catalog, Tools listing; Catalog, Forms. */
export async function listTools(deps: Deps, locale: Locale): Promise<ToolsListing> {
  const rows = await loadOperations(deps.db, deps.clock.now())
  const known = written.get(rows) ?? new Map<Locale, ToolsListing>()
  written.set(rows, known)
  const listing = known.get(locale) ?? writeListing(rows, locale)
  known.set(locale, listing)
  return listing
}

function writeListing(rows: readonly StoredOperation[], locale: Locale): ToolsListing {
  const json = JSON.stringify(rows.flatMap((row) => viewTool(row, locale)))
  const etag = `W/"${createHash('sha256').update(json).digest('base64url')}"`
  return { locale, json, etag }
}

/** Returns the listed tool; nothing for a stored operation that the code no longer has. */
function viewTool(row: StoredOperation, locale: Locale) {
  const operation = findOperation(row.serviceSlug as ServiceSlug, row.operationKey)
  if (operation === undefined) return []
  const form = formOf(operation)
  const presets = row.presets.map(({ label, params }) => ({
    label: translated(locale, label, form.presets[label]),
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
        group: describeGroup(form.group, locale),
        fields: describeForm(operation, form, locale),
        presets,
      },
      presets: presets.map(({ label }, index) => ({ index, label })),
    },
  ]
}

function describeGroup(key: ToolGroupKey, locale: Locale) {
  const { title, description } = TOOL_GROUPS[key]
  return { key, title: formText(locale, title), description: formText(locale, description) }
}
