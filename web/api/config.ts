import { useQuery } from '@tanstack/preact-query'
import { media } from './media.ts'

/** Reads which features the service offers. */
export function useConfig() {
  return useQuery({ queryKey: ['config'], queryFn: () => media.value.public.getConfig(), staleTime: 300_000 })
}
