import { PERSONAL, readStored, store } from '../text/stored.ts'

const NAME = `${PERSONAL}upload_links`

/**
 * URLs of links by the ids of their sessions. The service stores only a hash of the secret, so that only the browser
 * that created a link can show it again.
 */
function readUrls(): Record<string, string> {
  try {
    return JSON.parse(readStored(NAME) ?? '{}') as Record<string, string>
  } catch {
    return {}
  }
}

export function keepUrl(session_id: string, url: string): void {
  store(NAME, JSON.stringify({ ...readUrls(), [session_id]: url }))
}

export function findUrl(session_id: string): string | null {
  return readUrls()[session_id] ?? null
}

/** Forgets links that no longer accept files. */
export function forgetUrls(session_ids: readonly string[]): void {
  const urls = readUrls()
  const open = Object.entries(urls).filter(([id]) => !session_ids.includes(id))
  if (open.length < Object.keys(urls).length) store(NAME, JSON.stringify(Object.fromEntries(open)))
}
