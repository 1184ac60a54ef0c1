import { z } from 'zod'
import type { Deps } from '../deps.ts'
import { LegalText } from './rules/documents.ts'

const LegalTexts = z.array(LegalText)

/** By the static files of a version of the Worker, which never change. */
const known = new WeakMap<Fetcher, LegalText[]>()

/** Loads the versions of the legal documents that this version of the Worker shows (dev/legal.ts). */
export async function loadLegalTexts({
  env: { ASSETS, PUBLIC_URL },
}: Pick<Deps, 'env'>): Promise<LegalText[]> {
  const found = known.get(ASSETS)
  if (found !== undefined) return found
  const response = await ASSETS.fetch(new URL('/legal/documents.json', PUBLIC_URL))
  const texts = LegalTexts.parse(await response.json())
  known.set(ASSETS, texts)
  return texts
}
