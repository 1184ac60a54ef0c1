import { useEffect } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import type { TokenResponse } from '../../client/src/index.ts'
import { beginSession, isSignedIn } from '../api/session.ts'
import { useReplacePage } from '../shell/navigation.ts'
import { readNext } from '../shell/next-path.ts'

/**
 * Signs in, and continues at the page that the user came from. Visitors who are signed in already continue at once.
 * @returns that page, and a function that begins a session
 */
export function useEnter(): { next: string; enter: (answer: TokenResponse) => void } {
  const replacePage = useReplacePage()
  const next = readNext(useLocation().query.next)
  useEffect(() => {
    if (isSignedIn.value) replacePage(next)
  }, [])
  const enter = (answer: TokenResponse) => {
    beginSession(answer)
    replacePage(next)
  }
  return { next, enter }
}
