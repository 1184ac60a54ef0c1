import { env as platform } from 'cloudflare:workers'

/** What a receiver was sent. */
export interface Received {
  headers: Record<string, string>
  body: string
}

/** How a receiver answers: with a status, by hanging up, or not before it is told otherwise. */
export type ReceiverMode = { status: number; location?: string } | 'hang_up' | 'silent'

/** A stranger's server that webhooks go to. */
export interface Receiver {
  url: string
  tell(mode: ReceiverMode): Promise<void>
  received(): Promise<Received[]>
}

/** A receiver of a test's own; it takes everything until told otherwise. */
export function makeReceiver(): Receiver {
  const { INTERNET_URL } = platform as unknown as { INTERNET_URL: string }
  const base = `${INTERNET_URL}/${crypto.randomUUID()}`
  const control = (init?: RequestInit) => fetch(`${base}/control`, init)
  return {
    url: `${base}/hook`,
    async tell(mode) {
      await (await control({ method: 'PUT', body: JSON.stringify(mode) })).text()
    },
    async received() {
      return ((await (await control()).json()) as { received: Received[] }).received
    },
  }
}
