import { useQuery } from '@tanstack/preact-query'
import type { Account } from '../../client/src/index.ts'
import { media, queries } from './media.ts'

const KEY = ['account']

/** Reads the account of the session. */
export function useAccount() {
  return useQuery({ queryKey: KEY, queryFn: () => media.value.auth.me() })
}

/** Replaces what pages know about the account by a record that a change has returned. */
export function rememberAccount(account: Account): void {
  queries.setQueryData(KEY, account)
}
