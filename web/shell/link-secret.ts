import { useEffect, useState } from 'preact/hooks'

/** Pages that emails link to with a secret in the fragment. */
const SECRET_PAGES = ['/auth/reset-password', '/billing/cancel-renewal']

interface LinkState {
  secret?: string
}

/**
 * Moves the secret of an emailed link from the address to the state of the history entry, where it survives a reload
 * but is not shown, copied or bookmarked. Runs before anything else of the page.
 */
function hideSecret(): void {
  const { hash, pathname, search } = location
  if (hash === '' || !SECRET_PAGES.includes(pathname.replace(/\/$/, ''))) return
  history.replaceState({ secret: hash.slice(1) } satisfies LinkState, '', pathname + search)
}

hideSecret()

const readSecret = () => (history.state as LinkState | null)?.secret ?? ''

/** Returns the secret of the link that opened the page, empty if there is none, and how many links this tab opened. */
export function useLinkSecret(): { secret: string; opened: number } {
  const [link, setLink] = useState(() => ({ secret: readSecret(), opened: 1 }))
  useEffect(() => {
    const onLink = () => {
      hideSecret()
      setLink(({ opened }) => ({ secret: readSecret(), opened: opened + 1 }))
    }
    addEventListener('hashchange', onLink)
    return () => removeEventListener('hashchange', onLink)
  }, [])
  return link
}

/** Forgets a secret that was used. */
export function forgetLinkSecret(): void {
  history.replaceState(null, '')
}

/** Query of a redirect from the identity provider, removed from the address so that its code is in no history. */
export const provider_answer = takeProviderAnswer()

function takeProviderAnswer(): URLSearchParams {
  const { pathname, search } = location
  if (pathname.replace(/\/$/, '') !== '/auth/callback') return new URLSearchParams()
  history.replaceState(null, '', pathname)
  return new URLSearchParams(search)
}
