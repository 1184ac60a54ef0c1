import { useMutation } from '@tanstack/preact-query'
import { useLocation } from 'preact-iso'
import { media } from '../api/media.ts'
import { signOut } from '../api/session.ts'

/**
 * Signs out of this browser or of all, and goes to the first page. A failure to reach the service does not keep the
 * session in this browser.
 */
export function useSignOut() {
  const { route } = useLocation()
  return useMutation({
    mutationFn: async (where: 'here' | 'everywhere') => {
      const { auth } = media.value
      if (where === 'everywhere') await auth.logoutAll()
      else await auth.logout().catch(() => undefined)
    },
    onSuccess: () => {
      route('/')
      signOut()
    },
  })
}
