import { computed } from '@preact/signals'
import { QueryClient } from '@tanstack/preact-query'
import { Media, MediaError } from '../../client/src/index.ts'
import { locale } from '../text/locale.ts'
import { anonymous_id, endSession, session } from './session.ts'

/** Client of the service, with the credential and the language of the page. */
export const media = computed(
  () =>
    new Media({
      apiUrl: location.origin,
      ...(session.value !== null && { apiKey: session.value.access_token }),
      fetch: fetchFromService,
    }),
)

/** Adds the language and the anonymous id to requests to the service, but not to those to storage. */
async function fetchFromService(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const url = new URL(input instanceof Request ? input.url : input, location.href)
  if (url.origin !== location.origin || !url.pathname.startsWith('/api/')) return fetch(input, init)
  const headers = new Headers(init.headers)
  headers.set('accept-language', locale.value)
  const token = session.value?.access_token
  if (token === undefined) headers.set('x-anonymous-id', anonymous_id)
  const response = await fetch(url, { ...init, headers })
  // The session was ended elsewhere, or has expired.
  if (response.status === 401 && token !== undefined && token === session.value?.access_token) endSession()
  return response
}

/** Cache of what the page has read. The client itself retries requests. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: { staleTime: 30_000, retry: false, refetchOnWindowFocus: true },
    mutations: { retry: false },
  },
})

// What one user has read must not be shown to the next.
session.subscribe(() => queries.clear())

/** Returns what to show for an error: the sentence of the service, and its advice if there is one. */
export function describeError(error: unknown): { message: string; help: string | null } {
  if (error instanceof MediaError) return { message: error.message, help: error.help ?? null }
  return { message: error instanceof Error ? error.message : String(error), help: null }
}
