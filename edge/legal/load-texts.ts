import { z } from 'zod'
import type { Deps } from '../deps.ts'
import { reportUnforeseen } from '../log.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { LegalText } from './rules/documents.ts'

const LegalTexts = z.array(LegalText)

/** By the static files of a version of the Worker, which never change. */
const known = new WeakMap<Fetcher, LegalText[]>()

/**
 * Loads the versions of the legal documents that this version of the Worker shows (dev/legal.ts). Throws 503 if it was
 * deployed without them.
 */
export async function loadLegalTexts({
  env: { ASSETS, PUBLIC_URL },
}: Pick<Deps, 'env'>): Promise<LegalText[]> {
  const found = known.get(ASSETS)
  if (found !== undefined) return found
  const response = await ASSETS.fetch(new URL('/legal/documents.json', PUBLIC_URL))
  const texts = LegalTexts.safeParse(await response.json().catch(() => null))
  if (!texts.success) {
    const text = `/legal/documents.json is missing or invalid (${response.status}): build the site before the deployment`
    reportUnforeseen(new Error(text), { task: 'load the legal documents' })
    throw new ApiError('settings_invalid')
  }
  known.set(ASSETS, texts.data)
  return texts.data
}
