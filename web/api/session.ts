import { computed, signal } from '@preact/signals'
import type { TokenResponse } from '../../client/src/index.ts'
import { readStored, store } from '../text/stored.ts'

interface Session {
  access_token: string
  expires_at: string
}

const NAME = 'session'

/** Session of the signed-in user, shared by all tabs; null for visitors. */
export const session = signal<Session | null>(readSession())
export const isSignedIn = computed(() => session.value !== null)

function readSession(): Session | null {
  const stored = readStored(NAME)
  if (stored === null) return null
  try {
    const read = JSON.parse(stored) as Session
    return Date.parse(read.expires_at) > Date.now() ? read : null
  } catch {
    return null
  }
}

export function beginSession({
  access_token,
  expires_at,
}: Pick<TokenResponse, 'access_token' | 'expires_at'>): void {
  const next = { access_token, expires_at }
  store(NAME, JSON.stringify(next))
  session.value = next
}

export function endSession(): void {
  store(NAME, null)
  session.value = null
}

// Another tab has signed in or out.
addEventListener('storage', ({ key }) => {
  if (key === NAME || key === null) session.value = readSession()
})

/** Identifies this browser to the service, which lets its visitor use their own uploads and results again. */
export const anonymous_id = readAnonymousId()

function readAnonymousId(): string {
  const stored = readStored('anonymous_id')
  if (stored !== null) return stored
  const created = crypto.randomUUID()
  store('anonymous_id', created)
  return created
}
