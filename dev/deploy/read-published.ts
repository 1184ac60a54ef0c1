import { LegalText } from '../../edge/legal/rules/documents.ts'

const TIMEOUT_MS = 10_000

/** Lists the legal documents that a deployment shows now. Before the first deployment, there are none. */
export async function readPublished(api_url: string): Promise<LegalText[]> {
  try {
    const response = await fetch(`${api_url}/legal/documents.json`, {
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    if (response.ok) return LegalText.array().parse(await response.json())
  } catch (error) {
    console.warn(error)
  }
  console.warn(
    `${api_url} shows no documents, so none can be lost. This is right only for a first deployment.`,
  )
  return []
}
