import { computed, signal } from '@preact/signals'
import type { TokenResponse } from '../../client/src/index.ts'
import { writeCookie } from '../text/cookies.ts'
import { deletePersonal, readStored, store } from '../text/stored.ts'

interface Session {
  access_token: string
  expires_at: string
}

const NAME = 'session'
/** Id of the account that used this browser last, until it signs out. */
const ACCOUNT = 'account'

/** Session of the signed-in user, shared by all tabs; null for visitors. */
export const session = signal<Session | null>(readSession())
export const isSignedIn = computed(() => session.value !== null)

/** Names whose credits a run started now is charged to; null for a visitor, whose runs are free. */
export const owner = computed(() => (session.value === null ? null : (readStored(ACCOUNT) ?? 'account')))

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
  user,
}: Pick<TokenResponse, 'access_token' | 'expires_at' | 'user'>): void {
  const last = readStored(ACCOUNT)
  // The session of another account has expired. What a visitor did before the first sign-in stays.
  if (last !== null && last !== String(user.id)) forgetUser()
  store(ACCOUNT, String(user.id))
  const next = { access_token, expires_at }
  store(NAME, JSON.stringify(next))
  session.value = next
}

/** Ends a session that the service does not accept any more. The work stays for the next sign-in of the same user. */
export function endSession(): void {
  store(NAME, null)
  session.value = null
}

/** Ends the session because the user leaves, and deletes their work from this browser. */
export function signOut(): void {
  // First the work: what waits must not be submitted without the session.
  forgetUser()
  store(ACCOUNT, null)
  endSession()
}

// The service then renders the landing page as signed-in users see it, so that it does not move when its script runs.
session.subscribe((current) => {
  const lives_seconds = Math.floor((Date.parse(current?.expires_at ?? '') - Date.now()) / 1000)
  writeCookie('member', current === null ? null : '1', lives_seconds)
})

const forgetters: (() => void)[] = []

/** Registers what deletes the work of a user from memory. */
export function onForget(forget: () => void): void {
  forgetters.push(forget)
}

function forgetUser(): void {
  deletePersonal()
  for (const forget of forgetters) forget()
  // Files of the studio.
  void import('idb-keyval').then(({ clear }) => clear()).catch(() => undefined)
}

// Another tab has signed in or out.
addEventListener('storage', ({ key, oldValue }) => {
  if (key === NAME || key === null) session.value = readSession()
  if (key === ACCOUNT && oldValue !== null) for (const forget of forgetters) forget()
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
