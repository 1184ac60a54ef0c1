import type { Random } from './random.ts'

type Fields = Record<string, unknown>

const HARMLESS_SETTINGS = [{}, { bundle_pack_discount_pct: 10 }, { refund_policy_days: 30 }]

/** Endpoints that would end the session that all later requests of the caller use. */
export const SESSION_ENDING: readonly string[] = ['POST /api/v1/auth/logout', 'POST /api/v1/auth/logout-all']

/**
 * Removes changes that would break all later requests: maintenance, zero limits, and disabled operations.
 * @param submission replaces the operation and params in a body that names an operation
 */
export function makeHarmless(name: string, value: unknown, submission: Fields, random: Random): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const fields = value as Fields
  if (name === 'PATCH /api/v1/admin/settings') return random.pick(HARMLESS_SETTINGS)
  if (name === 'PATCH /api/v1/admin/operations/{operation_id}')
    return { ...fields, ...('enabled' in fields && { enabled: true }) }
  const { params, ...rest } = submission
  if (params === undefined) return fields
  if (name.startsWith('POST /api/v1/studio/')) return toStudioBody(fields, submission)
  if (!('service_slug' in fields)) return fields
  // Batches, upload links, and forms each supply their own file.
  const ownFile = 'file_urls' in fields || 'files' in fields || 'file' in fields
  const { file_url, ...without } = params as Fields
  return { ...fields, ...rest, params: ownFile ? without : { ...without, file_url } }
}

/** In the studio, the input is a sibling of `params` rather than part of it. */
function toStudioBody({ file_urls, files, webhook_url }: Fields, submission: Fields): Fields {
  const { params, ...operation } = submission
  const { file_url, url, ...rest } = params as Fields
  const isBatch = file_urls !== undefined || files !== undefined
  const input = isBatch ? { file_urls: [file_url ?? url, file_url ?? url] } : { file_url, url, webhook_url }
  return { ...operation, ...input, params: rest }
}
