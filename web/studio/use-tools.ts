import { useQuery } from '@tanstack/preact-query'
import { media } from '../api/media.ts'
import { locale } from '../text/locale.ts'

/** Reads all operations, in the language of the page. */
export function useTools() {
  return useQuery({
    queryKey: ['tools', locale.value],
    queryFn: () => media.value.studio.listTools(),
    staleTime: Number.POSITIVE_INFINITY,
  })
}
